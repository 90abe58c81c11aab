import { expect, test } from 'vitest';
import { formatSearchText, parseSearchText } from './url-state.ts';

test('digits and words of code stay text', () => {
	expect(parseSearchText('?path=1793161800000&search=true&q=null')).toEqual({
		path: '1793161800000',
		search: 'true',
		q: 'null',
	});
});

test('what was written is read again', () => {
	const search = { path: '17/18', q: 'क & b=c #?+ %' };
	expect(parseSearchText(formatSearchText(search))).toEqual(search);
});

test('nothing to say makes no question mark', () => {
	expect(formatSearchText({ q: undefined })).toBe('');
	expect(parseSearchText('')).toEqual({});
});
