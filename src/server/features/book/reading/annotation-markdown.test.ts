import { expect, test } from 'vitest';
import { escapeMarkdown } from './annotation-markdown.ts';

test('escapeMarkdown leaves plain prose unchanged', () => {
	const prose = "It's 5:30 – “why not?” (page 12), she said; 50% of it, and/or more!";
	expect(escapeMarkdown(prose)).toBe(prose);
	expect(escapeMarkdown('पहला कदम छोटा रखें।')).toBe('पहला कदम छोटा रखें।');
});

test('escapeMarkdown escapes tags, entities, links, images, code and emphasis', () => {
	expect(escapeMarkdown('<img src=x onerror=alert(1)>')).toBe('\\<img src\\=x onerror\\=alert(1)\\>');
	expect(escapeMarkdown('&lt;script&gt;')).toBe('\\&lt;script\\&gt;');
	expect(escapeMarkdown('[here](javascript:alert(1)) ![x](y)')).toBe('\\[here\\](javascript:alert(1)) !\\[x\\](y)');
	expect(escapeMarkdown('`a` **b** _c_ ~~d~~ ==e== $f$ {{ g }} | h |')).toBe(
		'\\`a\\` \\*\\*b\\*\\* \\_c\\_ \\~\\~d\\~\\~ \\=\\=e\\=\\= \\$f\\$ \\{\\{ g \\}\\} \\| h \\|',
	);
	expect(escapeMarkdown('https://example.com and www.example.com')).toBe('https\\://example.com and www\\.example.com');
	expect(escapeMarkdown('\\')).toBe('\\\\');
});

test('escapeMarkdown prevents lines from becoming headings, lists, quotations, rules or code blocks', () => {
	expect(escapeMarkdown('# one\n- two\n+ three\n4. four\n5) five\n> six\n---\n===\n    seven\n\teight')).toBe(
		'\\# one\\\n\\- two\\\n\\+ three\\\n4\\. four\\\n5\\) five\\\n\\> six\\\n\\---\\\n\\=\\=\\=\\\nseven\\\neight',
	);
});

test('escapeMarkdown keeps line breaks of every kind and paragraphs, and removes control characters', () => {
	expect(escapeMarkdown(' a\r\nb\u2028c\rd\n\n\n\ne\u0000\u0007 ')).toBe('a\\\nb\\\nc\\\nd\n\ne');
	expect(escapeMarkdown('')).toBe('');
});
