import { beforeEach, expect, test } from 'vitest';
import {
	annotationIds,
	documentKey,
	removeBookmark,
	saveBookmark,
} from '../../../../../test/support/fixtures/annotation-changes.ts';
import { deleteUnsent, listUnsent, storeUnsent } from './unsent-annotations.ts';

let kept: Map<string, string>;
let store: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

beforeEach(() => {
	kept = new Map();
	store = {
		getItem: (key) => kept.get(key) ?? null,
		setItem: (key, value) => void kept.set(key, value),
		removeItem: (key) => void kept.delete(key),
	};
});

test('listUnsent returns the last change of each annotation, in order, for one user and one document', () => {
	storeUnsent(store, 'asha', saveBookmark(annotationIds[0]));
	storeUnsent(store, 'asha', saveBookmark(annotationIds[1]));
	storeUnsent(store, 'asha', saveBookmark(annotationIds[0], 'Ask Kavita'));
	expect(listUnsent(store, 'asha', documentKey)).toEqual([
		saveBookmark(annotationIds[1]),
		saveBookmark(annotationIds[0], 'Ask Kavita'),
	]);
	storeUnsent(store, 'asha', removeBookmark(annotationIds[1]));
	expect(listUnsent(store, 'asha', documentKey)).toEqual([
		saveBookmark(annotationIds[0], 'Ask Kavita'),
		removeBookmark(annotationIds[1]),
	]);
	expect(listUnsent(store, 'ravi', documentKey)).toEqual([]);
	expect(listUnsent(store, 'asha', 'part-2-en')).toEqual([]);
});

test('deleteUnsent removes a sent change unless the annotation was changed again meanwhile', () => {
	storeUnsent(store, 'asha', saveBookmark(annotationIds[0]));
	storeUnsent(store, 'asha', saveBookmark(annotationIds[0], 'Ask Kavita'));
	deleteUnsent(store, 'asha', saveBookmark(annotationIds[0]));
	expect(listUnsent(store, 'asha', documentKey)).toEqual([saveBookmark(annotationIds[0], 'Ask Kavita')]);
	deleteUnsent(store, 'asha', saveBookmark(annotationIds[0], 'Ask Kavita'));
	expect(kept.size).toBe(0);
});

test('listUnsent ignores invalid data, and a forbidden store causes no error', () => {
	kept.set(`reading-unsent:asha:${documentKey}`, '[{"document":"part-1-en","save":{"id":"x"}}]');
	expect(listUnsent(store, 'asha', documentKey)).toEqual([]);
	const forbidden = () => {
		throw new DOMException('', 'SecurityError');
	};
	const none = { getItem: forbidden, setItem: forbidden, removeItem: forbidden };
	storeUnsent(none, 'asha', saveBookmark(annotationIds[0]));
	expect(listUnsent(none, 'asha', documentKey)).toEqual([]);
});
