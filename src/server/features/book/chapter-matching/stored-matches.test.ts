import { expect, test } from 'vitest';
import type { OutlineEntry } from '#shared/chapter-matching.ts';
import { resolveMatches, toStoredMatches } from './stored-matches.ts';

const entries = (titles: Record<string, string>): OutlineEntry[] =>
	Object.entries(titles).map(([id, title], index) => ({ id, title, page: index + 1 }));

const en = entries({ '1': 'Belief', '1.1': 'Doubt', '2': 'Habits', '2.1': 'Doubt' });
const hi = entries({ '1': 'विश्वास', '1.1': 'संदेह', '2': 'आदतें' });
const manualMatches = [
	{ en: '1.1', hi: '1.1' },
	{ en: '2', hi: '2' },
	{ en: '2.1', hi: null },
];

test('resolveMatches returns the stored matches when the outlines have not changed', () => {
	expect(resolveMatches(en, hi, toStoredMatches(en, hi, manualMatches))).toEqual(manualMatches);
});

test('resolveMatches finds the stored matches in a corrected file whose chapters have moved', () => {
	const corrected = entries({
		'1': 'Preface',
		'2': 'Belief',
		'2.1': 'New',
		'2.2': 'Doubt',
		'3': 'Habits',
		'3.1': 'Doubt',
	});
	expect(resolveMatches(corrected, hi, toStoredMatches(en, hi, manualMatches))).toEqual([
		{ en: '2.2', hi: '1.1' },
		{ en: '3', hi: '2' },
		{ en: '3.1', hi: null },
	]);
});

test('resolveMatches drops a stored match whose title has changed or is no longer unique', () => {
	const renamed = entries({ '1': 'विश्वास', '1.1': 'शंका', '2': 'आदतें' });
	expect(resolveMatches(en, renamed, toStoredMatches(en, hi, manualMatches))).toEqual([
		{ en: '2', hi: '2' },
		{ en: '2.1', hi: null },
	]);
	const twice = entries({ '1': 'Other', '2': 'Other', '3': 'Habits', '4': 'Habits' });
	expect(resolveMatches(twice, hi, toStoredMatches(en, hi, manualMatches))).toEqual([]);
});

test('resolveMatches finds entries with equal titles by their position only', () => {
	const alike = entries({ '1': '', '2': '', '3': '' });
	const storedMatches = toStoredMatches(alike, alike, [
		{ en: '1', hi: '3' },
		{ en: '3', hi: '2' },
	]);
	expect(resolveMatches(alike, alike, storedMatches)).toEqual([
		{ en: '1', hi: '3' },
		{ en: '3', hi: '2' },
	]);
	expect(resolveMatches(alike, entries({ '1': '' }), storedMatches)).toEqual([]);
});

test('toStoredMatches omits matches of entries that the outlines do not have', () => {
	expect(
		toStoredMatches(en, hi, [
			{ en: '9', hi: null },
			{ en: '1', hi: '9' },
		]),
	).toEqual([]);
});
