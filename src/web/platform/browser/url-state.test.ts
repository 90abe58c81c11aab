import { expect, test } from 'vitest';
import { formatSearchText, parseSearchText } from './url-state.ts';

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
