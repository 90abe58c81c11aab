import { describe, expect, test } from 'vitest';
import type { OutlineEntry } from '#web/ui/pdf/document/pdf-outline.ts';
import { estimateMinutesLeft } from '../reader/navigation/use-minutes-left.ts';
import {
	type ChapterMatches,
	type DocumentStructure,
	type LanguageSwitchSource,
	type PagePosition,
	translatePosition,
} from './language-switch.ts';
import { chooseInitialPosition } from './use-initial-position.ts';

const entry = (id: string, page: number | null, children: OutlineEntry[] = []): OutlineEntry => ({
	id,
	title: id,
	page,
	children,
});
const english = [entry('1', 2), entry('2', 5, [entry('2.1', 6), entry('2.2', 9)]), entry('3', 12)];
const hindi = [entry('1', 3), entry('2', 7, [entry('2.1', 9), entry('2.2', 14)]), entry('3', 18)];
const en: DocumentStructure = { outline: english, pageCount: 15 };
const hi: DocumentStructure = { outline: hindi, pageCount: 24 };
const equalMatches: ChapterMatches = ['1', '2', '2.1', '2.2', '3'].map((id) => ({ from: id, to: id }));

const sourceAt = (
	language: 'en' | 'hi',
	structure: DocumentStructure,
	position: PagePosition,
): LanguageSwitchSource => ({
	...structure,
	edition: { key: `part-1-${language}`, part: 1, language },
	position,
	returnPosition: undefined,
});
const toHindi = (page: number, offset = 0, pairs = equalMatches, to = hi) =>
	translatePosition(sourceAt('en', en, { page, offset }), to, pairs);

describe('translatePosition into another language', () => {
	test('returns the corresponding position in the same chapter and section', () => {
		expect([2, 5, 6, 9, 12].map((page) => toHindi(page))).toEqual(
			[3, 7, 9, 14, 18].map((page) => ({ page, offset: 0 })),
		);
		// The middle of section 2.2: 1.5 of 3 English pages, 2 of 4 Hindi pages.
		expect(toHindi(10, 0.5)).toEqual({ page: 16, offset: 0 });
	});

	test('never goes beyond the end of the chapter or the document', () => {
		expect(toHindi(4, 1).page).toBe(6);
		expect(toHindi(15, 1).page).toBe(24);
	});

	test('returns a position before the first chapter for a source position before the first chapter', () => {
		expect(toHindi(1)).toEqual({ page: 1, offset: 0 });
		expect(toHindi(1, 0.99).page).toBe(2);
	});

	test('uses the nearest headings before and after the position that have a match', () => {
		const pairs = equalMatches.filter(({ from }) => from !== '2.2' && from !== '2');
		// Half of the pages from section 2.1 to chapter 3: 3 of 6 English pages, 4.5 of 9 Hindi pages.
		expect(toHindi(9, 0, pairs)).toEqual({ page: 13, offset: 0.5 });
		expect(toHindi(5, 0, pairs).page).toBe(7);
	});

	test('uses the proportion of the whole document when no heading has a match', () => {
		expect(toHindi(6, 0, [])).toEqual({ page: 9, offset: 0 });
		expect(toHindi(1, 0, [])).toEqual({ page: 1, offset: 0 });
		expect(toHindi(15, 1, []).page).toBe(24);
		expect(toHindi(6, 0, equalMatches, { outline: [], pageCount: 24 })).toEqual({ page: 9, offset: 0 });
	});

	test('uses matches between chapters that are in a different order', () => {
		const reorderedMatches: ChapterMatches = [
			{ from: '1', to: '3' },
			{ from: '2', to: '1' },
			{ from: '3', to: '2' },
		];
		expect([2, 5, 12].map((page) => toHindi(page, 0, reorderedMatches).page)).toEqual([18, 3, 7]);
		// The end of chapter 2 corresponds to the end of Hindi chapter 1, not to the start of the next chapter.
		expect(toHindi(11, 0.99, reorderedMatches).page).toBe(6);
		expect(toHindi(4, 0.99, reorderedMatches).page).toBe(24);
	});

	test('ignores headings without a page', () => {
		const withoutFirstPage: DocumentStructure = { outline: [entry('1', null), ...hindi.slice(1)], pageCount: 24 };
		expect(toHindi(5, 0, equalMatches, withoutFirstPage).page).toBe(7);
		expect(toHindi(3, 0, equalMatches, withoutFirstPage).page).toBe(4);
	});
});

describe('translatePosition back to the first language', () => {
	test('returns about the same position after switching back and forth 20 times', () => {
		for (let page = 1; page <= 15; page += 1) {
			let at: PagePosition = { page, offset: 0.3 };
			for (let times = 0; times < 20; times += 1) {
				const hindiPosition = translatePosition(sourceAt('en', en, at), hi, equalMatches);
				at = translatePosition(sourceAt('hi', hi, hindiPosition), en, equalMatches);
			}
			expect(Math.abs(at.page + at.offset - page - 0.3), `page ${page}`).toBeLessThan(0.1);
		}
	});

	test('returns exactly the return position that the source contains', () => {
		const source = sourceAt('hi', hi, { page: 8, offset: 0.25 });
		const returnPosition = { page: 5, offset: 0.4 };
		expect(translatePosition({ ...source, returnPosition }, en, equalMatches)).toEqual(returnPosition);
	});
});

test('estimateMinutesLeft estimates the minutes until the end of the chapter', () => {
	expect(estimateMinutesLeft(english, 5, 15, 1500)).toBe(11);
	expect(estimateMinutesLeft(english, 11, 15, 1500)).toBe(2);
	expect(estimateMinutesLeft(english, 15, 15, 200)).toBe(1);
	expect(estimateMinutesLeft(english, 1, 15, 1500)).toBeNull();
	expect(estimateMinutesLeft(english, 5, 15, 0)).toBeNull();
});

test('chooseInitialPosition returns the newer of the saved and the local position, or the position of the entry point', () => {
	const saved = { page: 7, pageCount: 15, offset: 0.5, chapter: null, readAt: '2026-11-22T10:00:00.000Z' };
	const local = { page: 3, pageCount: 15, offset: 0.2, chapter: null, at: Date.parse('2026-11-22T09:00:00.000Z') };
	const from = { pageCount: 15, outline: english, matches: equalMatches, entryPoint: undefined, saved, local };
	for (const [options, page, offset] of [
		[{}, 7, 0.5],
		[{ local: { ...local, at: local.at + 7_200_000 } }, 3, 0.2],
		[{ saved: null, local: undefined }, 1, 0],
		[{ pageCount: 5 }, 5, 0.5],
		[{ entryPoint: 'first' }, 1, 0],
		[{ entryPoint: 'last' }, 15, 0],
		[{ entryPoint: sourceAt('hi', hi, { page: 14, offset: 0 }) }, 9, 0],
	] as const)
		expect(chooseInitialPosition({ ...from, ...options })).toEqual({ page, offset });
});
