import { expect, test } from 'vitest';
import type { OutlineEntry } from '#web/ui/pdf/pdf-outline.ts';
import { chapterPlaceOf, pageOfChapterPlace } from './carry.ts';
import { minutesLeft } from './use-minutes-left.ts';
import { startOf } from './use-reading-start.ts';

const entry = (id: string, page: number, children: OutlineEntry[] = []): OutlineEntry => ({
	id,
	title: id,
	page,
	children,
});
const english = [entry('1', 2), entry('2', 5, [entry('2.1', 6), entry('2.2', 9)]), entry('3', 12)];
const hindi = [entry('1', 3), entry('2', 7, [entry('2.1', 9), entry('2.2', 14)]), entry('3', 18)];

function across(page: number, offset = 0): number {
	return pageOfChapterPlace(hindi, 24, chapterPlaceOf(english, 15, page, offset));
}

test('another language opens in the same chapter and section', () => {
	expect(across(2)).toBe(3);
	expect(across(5)).toBe(7);
	expect(across(6)).toBe(9);
	expect(across(9)).toBe(14);
	expect(across(12)).toBe(18);
	// Half of section 2.2: two of its three pages, and so many of its four.
	expect(across(10, 0.5)).toBe(16);
});

test('the end of a chapter stays in it', () => {
	expect(across(4, 1)).toBe(6);
	expect(across(15, 1)).toBe(24);
});

test('what stands before the first chapter stays there', () => {
	expect(across(1)).toBe(1);
});

test('editions that are built differently are paired by how much lies behind', () => {
	const place = chapterPlaceOf(english, 16, 9, 0);
	expect(pageOfChapterPlace([], 32, place)).toBe(17);
	expect(pageOfChapterPlace([entry('1', 1)], 32, place)).toBe(17);
});

test('there and back leads to the same page', () => {
	for (let page = 1; page <= 15; page++) {
		const there = chapterPlaceOf(hindi, 24, across(page), 0);
		const back = pageOfChapterPlace(english, 15, there);
		expect(chapterPlaceOf(english, 15, back, 0).chapter).toBe(chapterPlaceOf(english, 15, page, 0).chapter);
	}
});

test('what is left of a chapter is counted in pages of usual length', () => {
	expect(minutesLeft(english, 5, 15, 1500)).toBe(11);
	expect(minutesLeft(english, 11, 15, 1500)).toBe(2);
	expect(minutesLeft(english, 15, 15, 200)).toBe(1);
	expect(minutesLeft(english, 1, 15, 1500)).toBeNull();
	expect(minutesLeft(english, 5, 15, 0)).toBeNull();
});

test('reading begins at the later of two places, unless one comes from another edition', () => {
	const kept = { page: 7, pageCount: 15, offset: 0.5, chapter: null, readAt: '2026-11-22T10:00:00.000Z' };
	const local = { page: 3, pageCount: 15, offset: 0.2, chapter: null, at: Date.parse('2026-11-22T09:00:00.000Z') };
	const from = { pageCount: 15, outline: english, carry: undefined, kept, local };
	expect(startOf(from)).toEqual({ page: 7, offset: 0.5 });
	expect(startOf({ ...from, local: { ...local, at: local.at + 7_200_000 } })).toEqual({ page: 3, offset: 0.2 });
	expect(startOf({ ...from, kept: null, local: undefined })).toEqual({ page: 1, offset: 0 });
	expect(startOf({ ...from, pageCount: 5 })).toEqual({ page: 5, offset: 0.5 });
	expect(startOf({ ...from, carry: 'first' })).toEqual({ page: 1, offset: 0 });
	expect(startOf({ ...from, carry: 'last' })).toEqual({ page: 15, offset: 0 });
	expect(startOf({ ...from, carry: chapterPlaceOf(hindi, 24, 14, 0) })).toEqual({ page: 9, offset: 0 });
});
