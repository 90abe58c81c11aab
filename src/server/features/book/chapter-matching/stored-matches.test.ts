import { expect, test } from 'vitest';
import type { OutlineEntry } from '#shared/chapter-matching.ts';
import { pairsFrom } from '../../../../../test/support/fixtures/book.ts';
import { resolveMatches, toStoredMatches } from './stored-matches.ts';

const entries = (titles: Record<string, string>): OutlineEntry[] =>
	Object.entries(titles).map(([id, title], index) => ({ id, title, page: index + 1 }));

const en = entries({ '1': 'Belief', '1.1': 'Doubt', '2': 'Habits', '2.1': 'Doubt' });
const hi = entries({ '1': 'विश्वास', '1.1': 'संदेह', '2': 'आदतें' });
const manualMatches = pairsFrom('1.1=1.1 2=2 2.1=');

test('resolveMatches finds moved chapters by their own title and the titles of their parents', () => {
	const corrected = entries({ '1': 'Preface', '2': 'Belief', '2.1': 'Doubt', '3': 'Habits', '3.1': 'Doubt' });
	expect(resolveMatches(corrected, hi, toStoredMatches(en, hi, manualMatches))).toEqual(pairsFrom('2.1=1.1 3=2 3.1='));
});

test('resolveMatches drops a stored match whose title is no longer unique', () => {
	const twice = entries({ '1': 'Other', '2': 'Other', '3': 'Habits', '4': 'Habits' });
	expect(resolveMatches(twice, hi, toStoredMatches(en, hi, manualMatches))).toEqual([]);
});

test('resolveMatches finds an entry by its position when other entries have the same title', () => {
	const alike = entries({ '1': '', '2': '', '3': '' });
	const pairs = pairsFrom('1=3 3=2');
	const storedMatches = toStoredMatches(alike, alike, pairs);
	expect(resolveMatches(alike, alike, storedMatches)).toEqual(pairs);
	expect(resolveMatches(alike, entries({ '1': '' }), storedMatches)).toEqual([]);
});
