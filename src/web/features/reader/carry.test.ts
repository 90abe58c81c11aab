import { expect, test } from 'vitest';
import type { OutlineEntry } from '#web/ui/pdf/pdf-outline.ts';
import { chapterPlaceOf, pageOfChapterPlace } from './carry.ts';

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
