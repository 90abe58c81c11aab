import { expect, test } from 'vitest';
import { loadExcerpts } from './excerpt-source.ts';

test.each(['en', 'hi'] as const)('loadExcerpts in %s returns chapters 2 and 3 without unparsed markup', (locale) => {
	const excerpts = loadExcerpts(locale);
	expect(excerpts.map(({ chapter, slug }) => [chapter, slug])).toEqual([
		[2, 'belief'],
		[3, 'mindset'],
	]);
	for (const { title, subtitle, blocks, minutes } of excerpts) {
		expect([title, subtitle]).not.toContain('');
		expect(blocks.filter(({ kind }) => kind === 'paragraph').length).toBeGreaterThan(4);
		// The message for the reading time exists only in the plural.
		expect(minutes).toBeGreaterThan(1);
		for (const { text } of blocks) expect(text).not.toMatch(/^[#>|-]|\n\n/u);
	}
});
