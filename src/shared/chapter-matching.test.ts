import { describe, expect, test } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import { cpuMs } from '../../test/support/app/cpu-time.ts';
import { type HeadingToMake, parseHeadings } from '../../test/support/documents/make-pdf.ts';
import { pairsFrom } from '../../test/support/fixtures/book.ts';
import { matchChapters, type Outline, type OutlineEntry } from './chapter-matching.ts';

function outline(pageCount: number, lines: string): Outline {
	const entries: OutlineEntry[] = [];
	const add = (headings: HeadingToMake[], parent: string) => {
		for (const [i, { title, page = null, children = [] }] of headings.entries()) {
			entries.push({ id: `${parent}${i + 1}`, title, page });
			add(children, `${parent}${i + 1}.`);
		}
	};
	add(parseHeadings(lines), '');
	return { pageCount, entries };
}

const matchesOf = (...args: Parameters<typeof matchChapters>) =>
	matchChapters(...args)
		.map(({ en, hi }) => `${en}=${hi}`)
		.join(' ');

describe('matchChapters without manual matches', () => {
	test('matches chapters by order and position when their titles share nothing', () => {
		const en = outline(20, 'Belief @ 2\nMindset @ 6\nHabits @ 12');
		const hi = outline(26, 'विश्वास @ 3\nसोच @ 8\nआदतें @ 15');
		expect(matchesOf(en, hi)).toBe('1=1 2=2 3=3');
	});

	test('matches chapter numbers in both scripts, written as digits, letters or words', () => {
		const en = outline(90, 'Chapter 1: Belief @ 5\nIII. Habits @ 30\nChapter Four @ 40\n5. Money @ 60\nLesson 6 @ 70');
		const hi = outline(
			90,
			'अध्याय १ विश्वास @ 5\nअध्याय २ @ 9\n३. आदतें @ 12\nअध्याय चार @ 70\nपाँचवाँ अध्याय @ 80\nपाठ ६ @ 85',
		);
		expect(matchesOf(en, hi)).toBe('1=1 2=3 3=4 4=5 5=6');
	});

	test('leaves unmatched a preface that only one outline has, even if its title is unusual', () => {
		const chapters = 'Belief @ 5\nMindset @ 15\nHabits @ 25\nMoney @ 35';
		const hi = outline(40, 'विश्वास @ 1\nसोच @ 11\nआदतें @ 21\nपैसा @ 31');
		expect(matchesOf(outline(44, `Preface @ 1\n${chapters}`), hi)).toBe('2=1 3=2 4=3 5=4');
		expect(matchesOf(outline(44, `Before the road @ 1\n${chapters}`), hi)).toBe('2=1 3=2 4=3 5=4');
		const withNumbers = outline(40, 'भूमिका @ 1\nअध्याय 1 @ 5\nअध्याय 2 @ 20');
		expect(matchesOf(outline(40, 'Chapter 1 @ 1\nChapter 2 @ 20'), withNumbers)).toBe('1=2 2=3');
		expect(matchesOf(outline(40, 'Introduction @ 1\n1 One @ 9\n2 Two @ 20'), withNumbers)).toBe('1=1 2=2 3=3');
	});

	test('leaves unmatched a chapter that the other outline lacks', () => {
		const en = outline(50, 'Chapter 1 @ 1\nChapter 2 @ 11\nChapter 3 @ 21\nChapter 4 @ 31');
		expect(matchesOf(en, outline(30, 'अध्याय १ @ 1\nअध्याय २ @ 11\nअध्याय ४ @ 21'))).toBe('1=1 2=2 4=3');
		const unnumbered = outline(60, 'Belief @ 1\nMindset @ 5\nHabits @ 35\nMoney @ 41');
		expect(matchesOf(unnumbered, outline(30, 'विश्वास @ 1\nआदतें @ 5\nपैसा @ 11'))).toBe('1=1 3=2 4=3');
	});

	test('ignores chapter numbers when the numbering of one language continues from an earlier part', () => {
		const en = outline(30, 'Chapter 9 @ 1\nChapter 10 @ 11\nChapter 11 @ 21');
		const hi = outline(30, 'अध्याय 1 @ 1\nअध्याय 2 @ 11\nअध्याय 3 @ 21');
		expect(matchesOf(en, hi)).toBe('1=1 2=2 3=3');
	});

	test('matches sections only below matched chapters', () => {
		const english = 'Preface @ 1\n\tWhy @ 2\n1 Belief @ 5\n\tDoubt @ 6\n\tTrust @ 9\n2 Habits @ 15\n\tMornings @ 16';
		const hindi = '१ विश्वास @ 2\n\tसंदेह @ 3\n\tभरोसा @ 7\n२ आदतें @ 15\n\tसुबह @ 16\n\tशाम @ 25';
		const [en, hi] = [outline(30, english), outline(30, hindi)];
		expect(matchesOf(en, hi)).toBe('2=1 2.1=1.1 2.2=1.2 3=2 3.1=2.1');
	});

	test('matches entries with an empty title or without a page by their position', () => {
		const en = outline(30, '\u00a0 @ 1\nPart\n3 @ 20');
		expect(matchesOf(en, en)).toBe('1=1 2=2 3=3');
		expect(matchesOf(en, { pageCount: 9, entries: [] })).toBe('');
	});

	test('matches outlines of the maximum length in less than 1.5 seconds of CPU time', () => {
		const entries = Array.from({ length: limits.outlineEntriesMax }, (_, i) => ({
			id: String(i + 1),
			title: `${i + 1}. Heading`,
			page: i + 1,
		}));
		const before = cpuMs();
		expect(matchChapters({ pageCount: 600, entries }, { pageCount: 600, entries: entries.slice(1) })).toHaveLength(
			limits.outlineEntriesMax - 1,
		);
		expect(cpuMs(before)).toBeLessThan(1500);
	});
});

describe('matchChapters with manual matches', () => {
	const en = outline(40, 'Belief @ 1\nMindset @ 11\nHabits @ 21\nMoney @ 31');
	const hi = outline(40, 'विश्वास @ 1\nसोच @ 11\nआदतें @ 21\nपैसा @ 31');

	test('keeps manual matches and suggests matches for the entries around them', () => {
		expect(matchesOf(en, hi, pairsFrom('1=2'))).toBe('1=2 3=3 4=4');
		expect(matchesOf(en, hi, pairsFrom('2='))).toBe('1=1 3=3 4=4');
	});

	test('accepts manual matches that do not follow the order of the chapters', () => {
		const crossed = pairsFrom('1=4 4=1');
		expect(matchesOf(en, hi, crossed)).toBe('1=4 2=2 3=3 4=1');
	});

	test('accepts manual matches between entries of different levels', () => {
		const deep = outline(40, 'Book @ 1\n\tBelief @ 2\n\tHabits @ 20');
		const flat = outline(40, 'विश्वास @ 2\nआदतें @ 20');
		expect(matchesOf(deep, flat, pairsFrom('1= 1.1=1 1.2=2'))).toBe('1.1=1 1.2=2');
	});

	test('ignores manual matches of entries that do not exist', () => {
		const absent = pairsFrom('9=1 1=9');
		expect(matchesOf(en, hi, absent)).not.toContain('1=9');
	});
});
