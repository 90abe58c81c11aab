import * as z from 'zod';
import { recordId, timestamp } from '../core/common-fields.ts';
import { command, endpoint } from '../core/endpoint.ts';
import { defineErrors } from '../core/errors.ts';
import { limits } from '../core/limits.ts';

/** ID of a document: an edition's key, or the ID of a PDF that the caller may read. */
export const documentId = recordId.min(1).max(100);

const page = z.int().min(1).max(limits.documentPagesMax);

/** Multi-line text. NUL is removed and lone surrogates are replaced, because databases reject them. */
const text = z.string().overwrite((typed) => typed.toWellFormed().replaceAll('\0', ''));

/** Title of the chapter in the outline; null without one. */
const chapter = text.max(500).nullable();

export const readingPosition = z.object({
	page,
	pageCount: page,
	/** Share of the page above the position, 0 to 1. */
	offset: z.number().min(0).max(1),
	chapter,
	/** When the user read here, ISO 8601 in UTC. The server keeps the position with the latest time. */
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
	/** Rectangles of a highlight, one for each line; empty for a bookmark. */
	boxes: z.array(box).max(limits.highlightRectanglesMax),
	quote: text.max(limits.highlightQuoteMaxLength, 'error_field_too_long'),
	/** The reader's note; '' without one. */
	note: text.trim().max(limits.annotationNoteMaxLength, 'error_field_too_long'),
	color: z.enum(annotationColors),
	chapter,
});

export const annotation = annotationFields.extend({
	/** Created by the device, so that sending an annotation twice stores it once. */
	id: z.uuid(),
	createdAt: timestamp,
	updatedAt: timestamp,
});
export type Annotation = z.infer<typeof annotation>;

/** Orders annotations by page, then from the top of the page (bookmarks first), then by age, older first. */
export function compareAnnotations(a: Annotation, b: Annotation): number {
	return (
		a.page - b.page || topOf(a) - topOf(b) || Number(a.createdAt > b.createdAt) - Number(a.createdAt < b.createdAt)
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

/** Path of {@link reading.savePlace}, for a direct call while the page is being closed. */
export function readingPositionPath(document: string): string {
	return `/api/reading/${encodeURIComponent(document)}/place`;
}

/** Path of the export: the caller's annotations in all documents that they may read, as one file. */
export const readingExportPath = '/api/reading-export';

/** `md` is readable Markdown; `json` is for programs. */
export const readingExportQuery = z.object({ format: z.enum(['md', 'json']).default('md') });
export type ReadingExportFormat = z.infer<typeof readingExportQuery>['format'];

/** The caller's own reading positions and annotations. NOT_FOUND for an unknown or forbidden document. */
export const reading = {
	get: endpoint('member', 'GET /api/reading/{document}', 'Get your own reading position and annotations in a document')
		.input(documentInput)
		.output(z.object({ place: readingPosition.nullable(), marks: z.array(annotation) })),
	/**
	 * Saves the position unless the stored position has a later `readAt`; a future time counts as now. Returns the
	 * position that is stored afterwards.
	 */
	savePlace: endpoint('member', 'PUT /api/reading/{document}/place', 'Save your own reading position in a document')
		.input(
			documentInput.extend(readingPosition.shape).refine(({ page, pageCount }) => page <= pageCount, {
				error: 'error_invalid_input',
				path: ['page'],
			}),
		)
		.output(readingPosition),
	/**
	 * Creates or updates an annotation. NOT_FOUND, also if the ID is in use in another document; TOO_MANY_MARKS*,
	 * INVALID_INPUT.
	 */
	saveMark: endpoint('member', 'PUT /api/reading/{document}/marks/{id}', 'Save a bookmark, highlight or note', {
		bodyLimitBytes: 128 * 1024,
	})
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
	/** Deletes an annotation; also succeeds when it no longer exists. */
	removeMark: command('member', 'DELETE /api/reading/{document}/marks/{id}', 'Delete an annotation').input(
		documentInput.extend({ id: z.uuid() }),
	),
};
