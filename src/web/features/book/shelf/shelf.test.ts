import { afterEach, describe, expect, test, vi } from 'vitest';
import { stubForbiddenStorage, stubStorage } from '../../../../../test/support/fixtures/browser-storage.ts';
import { chapterTicks, findCurrentIndex, withReadingState } from '../reader/side-panel/chapters.ts';
import { findEditionKey } from './edition-labels.ts';
import { partOfDay } from './use-greeting.ts';
import { hasSeenWelcome, rememberWelcome } from './welcome-dialog.tsx';

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

describe('the welcome dialog', () => {
	afterEach(() => vi.unstubAllGlobals());

	test('is remembered as seen for each user under the specified key', () => {
		const storage = stubStorage();
		expect(hasSeenWelcome('u1')).toBe(false);
		rememberWelcome('u1');
		expect(Object.keys(storage)).toEqual(['welcome_seen_u1']);
		expect([hasSeenWelcome('u1'), hasSeenWelcome('u2')]).toEqual([true, false]);
	});

	test('counts as unseen in a browser without storage, without an error', () => {
		stubForbiddenStorage();
		rememberWelcome('u1');
		expect(hasSeenWelcome('u1')).toBe(false);
	});
});
