import { expect, test } from 'vitest';
import type { Annotation } from '#contract/book/reading.ts';
import { applyChanges } from './annotations.ts';

const document = 'part-1-en';
const words = { kind: 'bookmark', boxes: [], quote: '', note: '', color: 'yellow', chapter: null } as const;
const [before, at] = ['2026-11-20T03:00:00.000Z', '2026-11-20T03:42:00.000Z'];
const kept = (id: string, page: number): Annotation => ({
	...words,
	boxes: [],
	id,
	page,
	createdAt: before,
	updatedAt: before,
});
const idsOf = (marks: Annotation[]) => marks.map(({ id }) => id);

test('applyChanges shows a new annotation before the server has stored it', () => {
	const save = { ...words, boxes: [], id: 'new', page: 5 };
	const marks = applyChanges([kept('a', 3), kept('b', 9)], [{ change: { document, save }, at }]);
	expect(idsOf(marks)).toEqual(['a', 'new', 'b']);
	expect(marks[1]).toEqual({ ...save, createdAt: at, updatedAt: at });
});

test('applyChanges keeps the creation time of a changed annotation and omits a removed one', () => {
	const save = { ...words, boxes: [], id: 'a', page: 3, note: 'Tomorrow' };
	const marks = [kept('a', 3), kept('b', 9)];
	const changes = [
		{ change: { document, save }, at },
		{ change: { document, remove: 'b' }, at },
	];
	expect(applyChanges(marks, changes)).toEqual([{ ...save, createdAt: before, updatedAt: at }]);
	expect(applyChanges(marks, [])).toEqual(marks);
});

test('applyChanges applies the last of several changes to one annotation', () => {
	const save = { ...words, boxes: [], id: 'a', page: 3 };
	const put = { change: { document, save }, at };
	const remove = { change: { document, remove: 'a' }, at };
	expect(idsOf(applyChanges([], [put, remove]))).toEqual([]);
	expect(idsOf(applyChanges([], [remove, put]))).toEqual(['a']);
});
