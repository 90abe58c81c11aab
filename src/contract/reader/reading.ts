import * as z from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { defineErrors } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import { keptId, timestamp } from '../core/page.ts';

/** What is read: an edition's key, or the id of a PDF that one may read. */
export const documentId = z.string().min(1).max(100);

const page = z.int().min(1).max(limits.documentPagesMax);

/** Where somebody is in a document. */
export const readingPlace = z.object({
	page,
	pageCount: page,
	/** How much of the page lies above what is read, 0 to 1. */
	offset: z.number().min(0).max(1),
	/** The chapter's title as the outline has it; null without one. */
	chapter: z.string().max(500).nullable(),
	/** When it was read there. Of two devices the later one counts, whenever it is heard of. */
	readAt: timestamp,
});
export type ReadingPlace = z.infer<typeof readingPlace>;

/** A rectangle on a page: left, top, right, bottom as shares of its width and height, 0 to 1. */
const box = z
	.tuple([z.number(), z.number(), z.number(), z.number()])
	.refine((sides) => sides.every((side) => side >= 0 && side <= 1), 'error_invalid_input');
export type PageBox = z.infer<typeof box>;

export const markColors = ['yellow', 'green', 'blue', 'pink'] as const;

const markWords = z.object({
	kind: z.enum(['bookmark', 'highlight']),
	page,
	/** Of a highlight, a line each; none of a bookmark. */
	boxes: z.array(box).max(limits.markBoxesMax),
	/** The marked text. */
	quote: z
		.string()
		.overwrite((text) => text.toWellFormed().replaceAll('\0', ''))
		.max(limits.markQuoteMaxLength, 'error_field_too_long'),
	/** What the reader says to it; '' without a word. */
	note: z
		.string()
		.overwrite((text) => text.toWellFormed().replaceAll('\0', '').trim())
		.max(limits.markNoteMaxLength, 'error_field_too_long'),
	color: z.enum(markColors),
	/** The chapter's title as the outline has it; null without one. */
	chapter: z.string().max(500).nullable(),
});

/** A bookmark or a highlight, either with a note or without. */
export const readingMark = markWords.extend({
	/** Made by the device, so that a mark that is sent twice is one. */
	id: z.uuid(),
	createdAt: timestamp,
	updatedAt: timestamp,
});
export type ReadingMark = z.infer<typeof readingMark>;

export const readingErrors = defineErrors({
	TOO_MANY_MARKS: { status: 409, text: 'error_too_many_marks' },
});

const one = z.object({ document: documentId });

/** Where {@link reading.savePlace} is, for a page that sends it while it is being left. */
export function readingPlacePath(document: string): string {
	return `/api/reading/${encodeURIComponent(document)}/place`;
}

/** The caller's bookmarks, highlights and notes in all documents as one file: `?format=md` (Markdown) or `json`. */
export const readingExportPath = '/api/reading-export';

/** Where one is in what one reads, and what one has marked there. Each is one's own; NOT_FOUND, alike for absent and forbidden. */
export const reading = {
	/** Place and marks of one document; the marks in the order of the pages. */
	get: endpoint
		.meta({ access: 'member' })
		.route({ method: 'GET', path: '/api/reading/{document}', summary: 'Where I am in a document, and my marks' })
		.input(one)
		.output(z.object({ place: readingPlace.nullable(), marks: z.array(readingMark) })),
	/** An earlier `readAt` than the one kept changes nothing; one in the future counts as now. Answers what is kept. */
	savePlace: endpoint
		.meta({ access: 'member' })
		.route({ method: 'PUT', path: '/api/reading/{document}/place', summary: 'Keep where I am in a document' })
		.input(one.extend(readingPlace.shape))
		.output(readingPlace),
	/** Adds a mark, or changes the one of that id. TOO_MANY_MARKS, INVALID_INPUT with `fields`. */
	saveMark: endpoint
		.meta({ access: 'member' })
		.route({ method: 'PUT', path: '/api/reading/{document}/marks/{id}', summary: 'Keep a bookmark, highlight or note' })
		.input(one.extend({ id: z.uuid() }).extend(markWords.shape))
		.output(readingMark),
	/** One that is gone already is no error. */
	removeMark: endpoint
		.meta({ access: 'member' })
		.route({ method: 'DELETE', path: '/api/reading/{document}/marks/{id}', summary: 'Delete a mark' })
		.input(one.extend({ id: z.uuid() }))
		.output(z.object({})),
};
