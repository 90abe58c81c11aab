import type { Locale } from '#contract/core/text.ts';
import beliefEn from '../../../../demo/book/part1-en/02-belief.md?raw';
import mindsetEn from '../../../../demo/book/part1-en/03-mindset.md?raw';
import beliefHi from '../../../../demo/book/part1-hi/02-belief.md?raw';
import mindsetHi from '../../../../demo/book/part1-hi/03-mindset.md?raw';

/** A chapter that visitors can read before buying. The texts of `blocks` contain inline markup. */
export interface Excerpt {
	chapter: number;
	slug: string;
	title: string;
	subtitle: string;
	/** Reading time at 200 words per minute. */
	minutes: number;
	blocks: ExcerptBlock[];
}

export interface ExcerptBlock {
	kind: 'paragraph' | 'heading' | 'practice';
	text: string;
}

const sources: Record<Locale, readonly string[]> = { en: [beliefEn, mindsetEn], hi: [beliefHi, mindsetHi] };

export function loadExcerpts(locale: Locale): Excerpt[] {
	return sources[locale].map(parseExcerpt);
}

/** Supports only the Markdown that the sample book uses (demo/book/README.md). */
function parseExcerpt(source: string): Excerpt {
	const [, head = '', body = ''] = source.split(/^---$/mu);
	const read = (name: string) => new RegExp(`^${name}: (.+)$`, 'mu').exec(head)?.[1] ?? '';
	return {
		chapter: Number(read('chapter')),
		slug: read('slug'),
		title: read('title'),
		subtitle: read('subtitle'),
		minutes: Math.round(body.split(/\s+/u).length / 200),
		blocks: body
			.split(/\n\s*\n/u)
			.map((block) => block.trim())
			.filter((block) => block !== '')
			.map(toBlock),
	};
}

function toBlock(block: string): ExcerptBlock {
	if (block.startsWith('## ')) return { kind: 'heading', text: block.slice(3) };
	if (block.startsWith('> ')) return { kind: 'practice', text: block.replace(/^> ?/gmu, '') };
	return { kind: 'paragraph', text: block };
}
