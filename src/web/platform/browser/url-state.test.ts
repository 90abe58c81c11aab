import { expect, test } from 'vitest';
import { oneOf, orElse, stateOf, text } from './readers.ts';
import { formatSearchText, formatState, parseSearchText, parseState } from './url-state.ts';

test('parseSearchText returns numbers, booleans and null as text', () => {
	expect(parseSearchText('?path=1793161800000&search=true&q=null')).toEqual({
		path: '1793161800000',
		search: 'true',
		q: 'null',
	});
});

test('parseSearchText parses the output of formatSearchText', () => {
	const search = { path: '17/18', q: 'क & b=c #?+ %' };
	expect(parseSearchText(formatSearchText(search))).toEqual(search);
});

test('formatSearchText returns an empty string without values', () => {
	expect(formatSearchText({ q: undefined })).toBe('');
	expect(parseSearchText('')).toEqual({});
});

const read = stateOf({
	search: orElse(text(), ''),
	sort: orElse(oneOf(['newest', 'oldest']), 'newest'),
});

test.each([
	['', { search: '', sort: 'newest' }, ''],
	['search=a%26b+%E0%A4%86&sort=oldest', { search: 'a&b आ', sort: 'oldest' }, 'search=a%26b+%E0%A4%86&sort=oldest'],
	['sort=oldest&search=', { search: '', sort: 'oldest' }, 'sort=oldest'],
	// Unknown and invalid parameters, for example from an earlier version.
	['page=3&sort=price&search=x', { search: 'x', sort: 'newest' }, 'search=x'],
] as const)('parseState and formatState read and normalise %s', (query, state, normalized) => {
	expect(parseState(read, query)).toEqual(state);
	expect(formatState(read, state)).toBe(normalized);
	expect(formatState(read, { ...state, ...{ page: 3 } })).toBe(normalized);
});
