import { describe, expect, it } from 'vitest';
import { loadExcerpts, parseExcerpt } from './excerpt-source.ts';

describe('the excerpts of the landing page', () => {
	it.each(['en', 'hi'] as const)(
		'are chapters 2 and 3 with several paragraphs each and no unparsed markup (%s)',
		(locale) => {
			const excerpts = loadExcerpts(locale);
			expect(excerpts.map(({ chapter, slug }) => [chapter, slug])).toEqual([
				[2, 'belief'],
				[3, 'mindset'],
			]);
			for (const { blocks, minutes } of excerpts) {
				expect(blocks.filter(({ kind }) => kind === 'paragraph').length).toBeGreaterThan(4);
				expect(minutes).toBeGreaterThan(0);
				for (const { text } of blocks) expect(text).not.toMatch(/^[#>|-]|\n\n/u);
			}
		},
	);

	it('cannot be read from a source without front matter', () => {
		expect(() => parseExcerpt('Only words.')).toThrow(/chapter/u);
	});
});
