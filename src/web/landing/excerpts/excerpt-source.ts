import type { Locale } from '#contract/core/text.ts';
import beliefEn from '../../../../demo/book/part1-en/02-belief.md?raw';
import mindsetEn from '../../../../demo/book/part1-en/03-mindset.md?raw';
import beliefHi from '../../../../demo/book/part1-hi/02-belief.md?raw';
import mindsetHi from '../../../../demo/book/part1-hi/03-mindset.md?raw';

/** A chapter that can be read before buying. The texts of `blocks` still contain inline markup. */
export interface Excerpt {
	chapter: number;
	slug: string;
	title: string;
	subtitle: string;
	/** Reading time at 200 words per minute, at least 1. */
	minutes: number;
	blocks: ExcerptBlock[];
}

export interface ExcerptBlock {
	kind: 'paragraph' | 'heading' | 'practice';
	text: string;
}

const sources: Record<Locale, readonly string[]> = { en: [beliefEn, mindsetEn], hi: [beliefHi, mindsetHi] };

/** Returns the two excerpts in one language. Throws if a source has no front matter. */
export function loadExcerpts(locale: Locale): Excerpt[] {
	return sources[locale].map(parseExcerpt);
}

/** Parses the subset of Markdown that the sample book uses (demo/book/README.md). */
export function parseExcerpt(source: string): Excerpt {
	const [, head = '', body = ''] = /^---\r?\n([\s\S]*?)\r?\n---\r?\n([\s\S]*)$/u.exec(source) ?? [];
	const fields = new Map(
		head.split(/\r?\n/u).map((line): [string, string] => {
			const colon = line.indexOf(':');
			return [line.slice(0, colon), line.slice(colon + 1).trim()];
		}),
	);
	const read = (name: string) => {
		const value = fields.get(name);
		if (!value) throw new Error(`An excerpt's front matter has no "${name}".`);
		return value;
	};
	return {
		chapter: Number(read('chapter')),
		slug: read('slug'),
		title: read('title'),
		subtitle: read('subtitle'),
		minutes: Math.max(1, Math.round(body.split(/\s+/u).length / 200)),
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
