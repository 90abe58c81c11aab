import * as z from 'zod';
import { recordId, timestamp } from '../core/common-fields.ts';
import { endpoint } from '../core/endpoint.ts';
import { defineErrors } from '../core/errors.ts';
import { limits } from '../core/limits.ts';

/** What is read: an edition's key, or the id of a PDF that one may read. */
export const documentId = recordId.min(1).max(100);

const page = z.int().min(1).max(limits.documentPagesMax);

/** A text of any lines; what no database takes is left out. */
const text = z.string().overwrite((typed) => typed.toWellFormed().replaceAll('\0', ''));

/** The chapter's title as the outline has it; null without one. */
const chapter = text.max(500).nullable();

/** Where somebody is in a document. */
export const readingPosition = z.object({
	page,
	pageCount: page,
	/** How much of the page lies above what is read, 0 to 1. */
	offset: z.number().min(0).max(1),
	chapter,
	/** When it was read there, ISO 8601 in UTC. Of two devices the later one counts, whenever it is heard of. */
	readAt: z.iso.datetime().max(40),
});
export type ReadingPosition = z.infer<typeof readingPosition>;

/** A rectangle on a page: left, top, right, bottom as shares of its width and height, 0 to 1. */
const box = z
	.tuple([z.number(), z.number(), z.number(), z.number()])
	.refine((sides) => sides.every((side) => side >= 0 && side <= 1), 'error_invalid_input');
export type PageBox = z.infer<typeof box>;

export const annotationColors = ['yellow', 'green', 'blue', 'pink'] as const;

const annotationFields = z.object({
	kind: z.enum(['bookmark', 'highlight']),
	page,
	/** Of a highlight, a line each; a bookmark has none. */
	boxes: z.array(box).max(limits.highlightRectanglesMax),
	/** The marked text. */
	quote: text.max(limits.highlightQuoteMaxLength, 'error_field_too_long'),
	/** What the reader says to it; '' without a word. */
	note: text.trim().max(limits.annotationNoteMaxLength, 'error_field_too_long'),
	color: z.enum(annotationColors),
	chapter,
});

/** A bookmark or a highlight, either with a note or without. */
export const annotation = annotationFields.extend({
	/** Made by the device, so that a mark that is sent twice is one. */
	id: z.uuid(),
	createdAt: timestamp,
	updatedAt: timestamp,
});
export type Annotation = z.infer<typeof annotation>;

/** The order of marks: by page, on it from the top, bookmarks first; of alike ones the older. */
export function compareAnnotations(one: Annotation, other: Annotation): number {
	return (
		one.page - other.page ||
		topOf(one) - topOf(other) ||
		Number(one.createdAt > other.createdAt) - Number(one.createdAt < other.createdAt)
	);
}

function topOf({ boxes }: Annotation): number {
	return boxes[0]?.[1] ?? 0;
}

export const readingErrors = defineErrors({
	TOO_MANY_MARKS: { status: 409, messageKey: 'error_too_many_annotations' },
	TOO_MANY_MARKS_IN_ALL: { status: 409, messageKey: 'error_too_many_annotations_in_all' },
});

const documentInput = z.object({ document: documentId });

/** Where {@link reading.savePlace} is, for a page that sends it while it is being left. */
export function readingPositionPath(document: string): string {
	return `/api/reading/${encodeURIComponent(document)}/place`;
}

/** The caller's bookmarks, highlights and notes in all documents that they may read, as one file. */
export const readingExportPath = '/api/reading-export';

/** `md`: Markdown, to be read; `json`: for programs. */
export const readingExportQuery = z.object({ format: z.enum(['md', 'json']).default('md') });
export type ReadingExportFormat = z.infer<typeof readingExportQuery>['format'];

/** Where one is in what one reads, and what one has marked there. Each is one's own; NOT_FOUND, alike for absent and forbidden. */
export const reading = {
	/** Place and marks of one document; the marks in the order of the pages. */
	get: endpoint
		.meta({ access: 'member' })
		.route({ method: 'GET', path: '/api/reading/{document}', summary: 'Where I am in a document, and my marks' })
		.input(documentInput)
		.output(z.object({ place: readingPosition.nullable(), marks: z.array(annotation) })),
	/** An earlier `loadedAt` than the one kept changes nothing; one in the future counts as now. Answers what is kept. */
	savePlace: endpoint
		.meta({ access: 'member' })
		.route({ method: 'PUT', path: '/api/reading/{document}/place', summary: 'Keep where I am in a document' })
		.input(
			documentInput.extend(readingPosition.shape).refine(({ page, pageCount }) => page <= pageCount, {
				error: 'error_invalid_input',
				path: ['page'],
			}),
		)
		.output(readingPosition),
	/** Adds a mark, or changes my own of that id; NOT_FOUND when it is of another document. TOO_MANY_MARKS, TOO_MANY_MARKS_IN_ALL, INVALID_INPUT with `fields`. */
	saveMark: endpoint
		.meta({ access: 'member', bodyLimitBytes: 128 * 1024 })
		.route({ method: 'PUT', path: '/api/reading/{document}/marks/{id}', summary: 'Keep a bookmark, highlight or note' })
		.input(
			documentInput
				.extend({ id: z.uuid() })
				.extend(annotationFields.shape)
				.refine(({ kind, boxes }) => (kind === 'highlight') === boxes.length > 0, {
					error: 'error_invalid_input',
					path: ['boxes'],
				}),
		)
		.output(annotation),
	/** One that is gone already is no error. */
	removeMark: endpoint
		.meta({ access: 'member' })
		.route({ method: 'DELETE', path: '/api/reading/{document}/marks/{id}', summary: 'Delete a mark' })
		.input(documentInput.extend({ id: z.uuid() }))
		.output(z.object({})),
};
