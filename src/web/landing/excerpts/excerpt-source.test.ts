import { describe, expect, it } from 'vitest';
import { loadExcerpts, parseExcerpt } from './excerpt-source.ts';

describe('excerpts', () => {
	it.each(['en', 'hi'] as const)(
		'are chapters 2 and 3, several paragraphs each, every mark understood (%s)',
		(locale) => {
			const found = loadExcerpts(locale);
			expect(found.map(({ chapter, slug }) => [chapter, slug])).toEqual([
				[2, 'belief'],
				[3, 'mindset'],
			]);
			for (const { blocks, minutes } of found) {
				expect(blocks.filter(({ kind }) => kind === 'paragraph').length).toBeGreaterThan(4);
				expect(minutes).toBeGreaterThan(0);
				for (const { text } of blocks) expect(text).not.toMatch(/^[#>|-]|\n\n/u);
			}
		},
	);

	it('refuse a source without its front matter', () => {
		expect(() => parseExcerpt('Only words.')).toThrow(/chapter/u);
	});
});
