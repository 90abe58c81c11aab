import { describe, expect, test } from 'vitest';
import type { EditionKey } from '#contract/settings/book-settings.ts';
import { recallPlace, rememberPlace } from '#web/platform/reading-place.ts';
import { findCurrent, markChapters, tickPlaces } from './chapters.ts';
import { greetingAt } from './greeting.ts';
import { findEditionKey, lastRead, placeIn } from './reading-place.ts';

function fakeStore(): Pick<Storage, 'getItem' | 'setItem'> {
	const kept = new Map<string, string>();
	return { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value) };
}

describe('the remembered place', () => {
	test('belongs to a person and an edition', () => {
		const store = fakeStore();
		rememberPlace(store, 'asha', 'part-1-hi', { page: 4, pageCount: 11, chapter: 'विश्वास', at: 5 });
		expect(recallPlace(store, 'asha', 'part-1-hi')?.page).toBe(4);
		expect(recallPlace(store, 'asha', 'part-1-en')).toBeUndefined();
		expect(recallPlace(store, 'rohan', 'part-1-hi')).toBeUndefined();
	});

	test('never leads out of the book, and nonsense counts as none', () => {
		const store = fakeStore();
		rememberPlace(store, 'asha', 'part-1-en', { page: 400, pageCount: 11, chapter: null, at: 5 });
		expect(recallPlace(store, 'asha', 'part-1-en')?.page).toBe(11);
		store.setItem('reading:asha:part-1-en', '{"page":"four"}');
		expect(recallPlace(store, 'asha', 'part-1-en')).toBeUndefined();
		store.setItem('reading:asha:part-1-en', 'not json');
		expect(recallPlace(store, 'asha', 'part-1-en')).toBeUndefined();
	});

	test('a store that refuses stops nobody', () => {
		const refuse = () => {
			throw new Error('denied');
		};
		const store = { getItem: refuse, setItem: refuse };
		rememberPlace(store, 'asha', 'part-1-en', { page: 1, pageCount: 1, chapter: null, at: 1 });
		expect(recallPlace(store, 'asha', 'part-1-en')).toBeUndefined();
	});

	test('the edition read last comes first, if it may still be read', () => {
		const store = fakeStore();
		rememberPlace(store, 'asha', 'part-1-en', { page: 2, pageCount: 11, chapter: null, at: 1 });
		rememberPlace(store, 'asha', 'part-1-hi', { page: 3, pageCount: 11, chapter: null, at: 2 });
		const unread = (key: EditionKey) => ({ key, place: null });
		expect(lastRead(store, 'asha', [unread('part-1-en'), unread('part-1-hi')])).toBe('part-1-hi');
		expect(lastRead(store, 'asha', [unread('part-1-en')])).toBe('part-1-en');
		expect(lastRead(store, 'asha', [unread('part-2-en')])).toBeUndefined();
		const place = { page: 9, pageCount: 27, offset: 0, chapter: null, readAt: '2026-11-22T10:00:00.000Z' };
		expect(lastRead(store, 'asha', [{ key: 'part-2-en', place }, unread('part-1-hi')])).toBe('part-2-en');
		expect(placeIn(store, 'asha', { key: 'part-1-en', place })).toMatchObject({ page: 9, pageCount: 27 });
		const later = { page: 4, pageCount: 27, chapter: null, at: Date.parse('2026-11-22T11:00:00.000Z') };
		rememberPlace(store, 'asha', 'part-1-en', later);
		expect(placeIn(store, 'asha', { key: 'part-1-en', place })).toMatchObject({ page: 4 });
	});
});

test('an address names an edition in any case', () => {
	expect(findEditionKey('Part-1-HI')).toBe('part-1-hi');
	expect(findEditionKey('part-3-en')).toBeUndefined();
	expect(findEditionKey(undefined)).toBeUndefined();
});

describe('chapters', () => {
	const entry = (title: string, page: number | null) => ({ id: title, title, page, children: [] });
	const entries = [entry('One', 2), entry('Two', 4), entry('Nowhere', null), entry('Three', 9)];

	test('are read, current and ahead by the open page', () => {
		expect(markChapters(entries, 1).map(({ state }) => state)).toEqual(['ahead', 'ahead', 'ahead', 'ahead']);
		expect(markChapters(entries, 5).map(({ state }) => state)).toEqual(['read', 'current', 'ahead', 'ahead']);
		expect(findCurrent(entries, 11)).toBe(3);
	});

	test('mark their beginnings on the progress bar', () => {
		expect(tickPlaces(entries, 11)).toEqual([0.1, 0.3, 0.8]);
		expect(tickPlaces(entries, 1)).toEqual([]);
	});
});

test('the greeting follows the business day', () => {
	const at = (iso: string) => greetingAt(new Date(iso), 'Asia/Kolkata');
	expect(at('2026-11-14T01:00:00Z')).toBe('morning');
	expect(at('2026-11-14T07:00:00Z')).toBe('afternoon');
	expect(at('2026-11-14T12:30:00Z')).toBe('evening');
	expect(at('2026-11-13T20:00:00Z')).toBe('evening');
});
