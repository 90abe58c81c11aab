import { expect, test } from 'vitest';
import { chapterTicks, findCurrentIndex } from '../reader/side-panel/chapters.ts';
import { findEditionKey } from './edition-labels.ts';
import { partOfDay } from './welcome-dialog.tsx';

test('findEditionKey recognises an edition key in any letter case', () => {
	expect(findEditionKey('Part-1-HI')).toBe('part-1-hi');
	expect(findEditionKey('part-12-mr')).toBe('part-12-mr');
	expect(findEditionKey('part-13-en')).toBeUndefined();
	expect(findEditionKey('part-1-en-x')).toBeUndefined();
	expect(findEditionKey(undefined)).toBeUndefined();
});

test('findCurrentIndex and chapterTicks ignore chapters without a page', () => {
	const entry = (title: string, page: number | null) => ({ id: title, title, page, children: [] });
	const entries = [entry('One', 2), entry('Two', 4), entry('Nowhere', null), entry('Three', 9)];
	expect([1, 5, 11].map((page) => findCurrentIndex(entries, page))).toEqual([-1, 1, 3]);
	expect(chapterTicks(entries, 11)).toEqual([0.1, 0.3, 0.8]);
	expect(chapterTicks(entries, 1)).toEqual([]);
});

test('partOfDay uses the hour in the time zone that is passed', () => {
	const at = (iso: string) => partOfDay(new Date(iso), 'Asia/Kolkata');
	expect(at('2026-11-14T01:00:00Z')).toBe('morning');
	expect(at('2026-11-14T07:00:00Z')).toBe('afternoon');
	expect(at('2026-11-14T12:30:00Z')).toBe('evening');
	expect(at('2026-11-13T20:00:00Z')).toBe('evening');
});
