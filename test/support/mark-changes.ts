import type { MarkChange } from '#web/features/reader/mark-changes.ts';

export const ids = ['0b5c3c6e-6c1a-4b5e-9d5e-1a2b3c4d5e6f', '1b5c3c6e-6c1a-4b5e-9d5e-1a2b3c4d5e6f'] as const;
export const document = 'part-1-en';
/** A bookmark, kept or changed. */
export const save = (id: string, note = ''): MarkChange => ({
	document,
	save: { id, kind: 'bookmark', page: 3, boxes: [], quote: '', note, color: 'yellow', chapter: null },
});
export const remove = (id: string): MarkChange => ({ document, remove: id });
