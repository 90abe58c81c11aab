import { expect, test } from 'vitest';
import { pairsFrom } from '../../../../../../test/support/fixtures/book.ts';
import {
	clearDecisions,
	findMatchablePart,
	formOf,
	inputOf,
	outlineEntryTitle,
	type SavedChapterMatches,
	setDecision,
	toManualMatches,
} from './chapter-matching-form.ts';

const entries = ['1', '1.1', '2'].map((id, index) => ({ id, title: `Title ${id}`, page: index + 1 }));
const part = {
	part: 1,
	firstLanguage: 'en',
	language: 'hi',
	en: { state: 'ready' as const, id: 'english', pageCount: 9, entries },
	hi: { state: 'ready' as const, id: 'hindi', pageCount: 9, entries },
	byHand: pairsFrom('1=2 1.1='),
};
const saved: SavedChapterMatches = { parts: [part, { ...part, part: 2, en: null, hi: null, byHand: [] }], version: 4 };

test('inputOf returns the saved matches of an unchanged form and omits parts that cannot be matched', () => {
	expect(formOf(saved)).toEqual({ '1': { '1': '2', '1.1': '', '2': null }, '2': {} });
	expect(inputOf(formOf(saved), saved)).toEqual({
		parts: [{ part: 1, language: 'hi', en: 'english', hi: 'hindi', byHand: part.byHand }],
	});
});

test('a part can be matched only if both outlines are ready and have entries', () => {
	expect(findMatchablePart({ ...part, hi: { state: 'reading' } })).toBeNull();
	expect(findMatchablePart({ ...part, hi: { ...part.hi, entries: [] } })).toBeNull();
	expect(findMatchablePart({ ...part, en: null })).toBeNull();
	expect(inputOf(formOf(saved), { ...saved, parts: [{ ...part, hi: { state: 'reading' } }] })).toEqual({ parts: [] });
});

test('setDecision removes the match that another entry had with the chosen counterpart', () => {
	const { '1': decisions = {} } = formOf(saved);
	expect(setDecision(decisions, '2', '2')).toEqual({ decisions: { '1': null, '1.1': '', '2': '2' }, takenFrom: '1' });
	expect(setDecision(decisions, '2', '')).toEqual({ decisions: { ...decisions, '2': '' }, takenFrom: undefined });
	expect(setDecision(decisions, '1', null)).toEqual({ decisions: { ...decisions, '1': null }, takenFrom: undefined });
	expect(toManualMatches(clearDecisions(decisions))).toEqual([]);
});

test('inputOf omits matches of entries that are no longer in the outline', () => {
	const shorter = { ...part, en: { ...part.en, entries: entries.slice(0, 1) } };
	expect(inputOf(formOf(saved), { ...saved, parts: [shorter] }).parts[0]?.byHand).toEqual(pairsFrom('1=2'));
});

test('outlineEntryTitle returns a placeholder for an entry without a title', () => {
	expect(outlineEntryTitle({ id: '2.1', title: '' })).toBe('Without a title (2.1)');
});
