import { describe, expect, test } from 'vitest';
import type { EditionKey } from '#contract/book/book-settings.ts';
import { readLocalPosition, storeLocalPosition } from '#web/platform/browser/local-reading-position.ts';
import { chapterTicks, findCurrentIndex, withReadingState } from '../reader/side-panel/chapters.ts';
import { partOfDay } from '../shelf/use-greeting.ts';
import { findEditionKey, findLastReadEdition, findReadingPosition } from './last-read.ts';

function fakeStore(): Pick<Storage, 'getItem' | 'setItem'> {
	const kept = new Map<string, string>();
	return { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value) };
}

describe('the local reading position', () => {
	test('belongs to one user and one edition', () => {
		const store = fakeStore();
		storeLocalPosition(store, 'asha', 'part-1-hi', { page: 4, pageCount: 11, chapter: 'विश्वास', at: 5 });
		expect(readLocalPosition(store, 'asha', 'part-1-hi')?.page).toBe(4);
		expect(readLocalPosition(store, 'asha', 'part-1-en')).toBeUndefined();
		expect(readLocalPosition(store, 'rohan', 'part-1-hi')).toBeUndefined();
	});

	test('never exceeds the pages of the book, and invalid data counts as none', () => {
		const store = fakeStore();
		storeLocalPosition(store, 'asha', 'part-1-en', { page: 400, pageCount: 11, chapter: null, at: 5 });
		expect(readLocalPosition(store, 'asha', 'part-1-en')?.page).toBe(11);
		store.setItem('reading:asha:part-1-en', '{"page":"four"}');
		expect(readLocalPosition(store, 'asha', 'part-1-en')).toBeUndefined();
		store.setItem('reading:asha:part-1-en', 'not json');
		expect(readLocalPosition(store, 'asha', 'part-1-en')).toBeUndefined();
	});

	test('is undefined without an error when the store throws', () => {
		const refuse = () => {
			throw new Error('denied');
		};
		const store = { getItem: refuse, setItem: refuse };
		storeLocalPosition(store, 'asha', 'part-1-en', { page: 1, pageCount: 1, chapter: null, at: 1 });
		expect(readLocalPosition(store, 'asha', 'part-1-en')).toBeUndefined();
	});

	test('decides together with the position on the server which edition was read last', () => {
		const store = fakeStore();
		storeLocalPosition(store, 'asha', 'part-1-en', { page: 2, pageCount: 11, chapter: null, at: 1 });
		storeLocalPosition(store, 'asha', 'part-1-hi', { page: 3, pageCount: 11, chapter: null, at: 2 });
		const unread = (key: EditionKey) => ({ key, place: null });
		expect(findLastReadEdition(store, 'asha', [unread('part-1-en'), unread('part-1-hi')])).toBe('part-1-hi');
		expect(findLastReadEdition(store, 'asha', [unread('part-1-en')])).toBe('part-1-en');
		expect(findLastReadEdition(store, 'asha', [unread('part-2-en')])).toBeUndefined();
		const place = { page: 9, pageCount: 27, offset: 0, chapter: null, readAt: '2026-11-22T10:00:00.000Z' };
		expect(findLastReadEdition(store, 'asha', [{ key: 'part-2-en', place }, unread('part-1-hi')])).toBe('part-2-en');
		expect(findReadingPosition(store, 'asha', { key: 'part-1-en', place })).toMatchObject({ page: 9, pageCount: 27 });
		const later = { page: 4, pageCount: 27, chapter: null, at: Date.parse('2026-11-22T11:00:00.000Z') };
		storeLocalPosition(store, 'asha', 'part-1-en', later);
		expect(findReadingPosition(store, 'asha', { key: 'part-1-en', place })).toMatchObject({ page: 4 });
	});
});

test('findEditionKey recognises an edition key in any letter case', () => {
	expect(findEditionKey('Part-1-HI')).toBe('part-1-hi');
	expect(findEditionKey('part-3-en')).toBeUndefined();
	expect(findEditionKey(undefined)).toBeUndefined();
});

describe('the chapters of an edition', () => {
	const entry = (title: string, page: number | null) => ({ id: title, title, page, children: [] });
	const entries = [entry('One', 2), entry('Two', 4), entry('Nowhere', null), entry('Three', 9)];

	test('are read, current or ahead depending on the open page', () => {
		expect(withReadingState(entries, 1).map(({ state }) => state)).toEqual(['ahead', 'ahead', 'ahead', 'ahead']);
		expect(withReadingState(entries, 5).map(({ state }) => state)).toEqual(['read', 'current', 'ahead', 'ahead']);
		expect(findCurrentIndex(entries, 11)).toBe(3);
	});

	test('have a tick on the progress bar where they begin', () => {
		expect(chapterTicks(entries, 11)).toEqual([0.1, 0.3, 0.8]);
		expect(chapterTicks(entries, 1)).toEqual([]);
	});
});

test('partOfDay follows the business time zone', () => {
	const at = (iso: string) => partOfDay(new Date(iso), 'Asia/Kolkata');
	expect(at('2026-11-14T01:00:00Z')).toBe('morning');
	expect(at('2026-11-14T07:00:00Z')).toBe('afternoon');
	expect(at('2026-11-14T12:30:00Z')).toBe('evening');
	expect(at('2026-11-13T20:00:00Z')).toBe('evening');
});
