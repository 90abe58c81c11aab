import { expect, test } from 'vitest';
import type { Annotation } from '#contract/book/reading.ts';
import { applyChanges } from './annotations.ts';

const document = 'part-1-en';
type Fields = Pick<Annotation, 'kind' | 'boxes' | 'quote' | 'note' | 'color' | 'chapter'>;
const fields: Fields = { kind: 'bookmark', boxes: [], quote: '', note: '', color: 'yellow', chapter: null };
const [before, at] = ['2026-11-20T03:00:00.000Z', '2026-11-20T03:42:00.000Z'];
const storedAnnotation = (id: string, page: number) => ({ ...fields, id, page, createdAt: before, updatedAt: before });
const idsOf = (annotations: Annotation[]) => annotations.map(({ id }) => id);

test('applyChanges shows a new annotation before the server has stored it', () => {
	const save = { ...fields, id: 'new', page: 5 };
	const annotations = applyChanges(
		[storedAnnotation('a', 3), storedAnnotation('b', 9)],
		[{ change: { document, save }, at }],
	);
	expect(idsOf(annotations)).toEqual(['a', 'new', 'b']);
	expect(annotations[1]).toEqual({ ...save, createdAt: at, updatedAt: at });
});

test('applyChanges keeps the creation time of a changed annotation and omits a removed annotation', () => {
	const save = { ...fields, id: 'a', page: 3, note: 'Tomorrow' };
	const annotations = [storedAnnotation('a', 3), storedAnnotation('b', 9)];
	const changes = [
		{ change: { document, save }, at },
		{ change: { document, remove: 'b' }, at },
	];
	expect(applyChanges(annotations, changes)).toEqual([{ ...save, createdAt: before, updatedAt: at }]);
	expect(applyChanges(annotations, [])).toEqual(annotations);
});

test('applyChanges applies the last of several changes to one annotation', () => {
	const save = { ...fields, id: 'a', page: 3 };
	const saveChange = { change: { document, save }, at };
	const removeChange = { change: { document, remove: 'a' }, at };
	expect(idsOf(applyChanges([], [saveChange, removeChange]))).toEqual([]);
	expect(idsOf(applyChanges([], [removeChange, saveChange]))).toEqual(['a']);
});
