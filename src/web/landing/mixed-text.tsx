import type { Locale } from '#contract/storefront/landing.ts';

const devanagari = /([\u0900-\u097f\u200c\u200d]+)/u;

interface MixedTextProps {
	text: string;
	locale: Locale;
}

/** A sentence whose Hindi words, on an English page, are marked as Hindi: for voices, and for the small cut font. */
export function MixedText({ text, locale }: MixedTextProps) {
	if (locale === 'hi') return text;
	let offset = 0;
	return text.split(devanagari).map((part) => {
		const key = offset;
		offset += part.length;
		return devanagari.test(part) ? (
			<span key={key} lang="hi" className="hindi-name">
				{part}
			</span>
		) : (
			part
		);
	});
}
