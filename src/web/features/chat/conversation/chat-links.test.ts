import { expect, test } from 'vitest';
import { splitLinks } from './chat-links.ts';

const linksOf = (text: string) => splitLinks(text).flatMap(({ href }) => href ?? []);

test.each([
	['see https://example.com/a?b=1&c=2#d now', ['https://example.com/a?b=1&c=2#d']],
	['http://example.com.', ['http://example.com']],
	['(https://example.com/a_(b))', ['https://example.com/a_(b)']],
	['यहाँ https://example.com/हिंदी।', ['https://example.com/हिंदी']],
	['"https://example.com"', ['https://example.com']],
	['HTTPS://EXAMPLE.COM/x!', ['HTTPS://EXAMPLE.COM/x']],
	['https://a.example,https://b.example', ['https://a.example,https://b.example']],
	['line\nhttps://example.com\nline', ['https://example.com']],
])('splitLinks(%j) finds the links %j', (text, links) => expect(linksOf(text)).toEqual(links));

test.each([
	'javascript:alert(1)',
	'data:text/html,<b>x</b>',
	'ftp://example.com',
	'//example.com',
	'https://',
	'https:// example.com',
	'http://[',
	'example.com',
])('splitLinks finds no link in %j', (text) => expect(linksOf(text)).toEqual([]));

test.each([
	'',
	'https://example.com',
	'a https://example.com b <script> https://b.example/ c\n',
	'\u202ehttps://x.example\u202c',
])('splitLinks keeps all text of %j unchanged', (text) =>
	expect(
		splitLinks(text)
			.map((part) => part.text)
			.join(''),
	).toBe(text),
);
