import {
	type EditionKey,
	editionKeyOf,
	editionWording,
	findLanguage,
	type OfferedEditions,
	partName,
} from '#contract/book/editions.ts';
import type { Locale } from '#contract/core/text.ts';
import { m } from '#messages';

/** What the landing page says about the parts and languages of the book; '' if there is nothing to say. */
export function presentEditionTexts(offered: OfferedEditions, locale: Locale, headline: string) {
	const wording = editionWording(offered, locale);
	const options = { locale };
	const isSingle = wording.parts === 'one' && wording.languages === 'none';
	return {
		/** `Two parts, in English and हिन्दी` */
		eyebrow: isSingle ? '' : m.landing_eyebrow(wording, options),
		/** `for both parts` */
		priceNote: wording.parts === 'one' ? '' : m.landing_both_parts(wording, options),
		purchaseLead: m.landing_book_lead(wording, options),
		/** Of the browser's tab: `Build Your Empire 1.0: a book in two parts` */
		pageTitle: m.landing_title({ ...wording, name: headline }, options),
		drawnCoversAlt: m.landing_books_alt(wording, options),
	};
}

interface CoverEdition {
	key: EditionKey;
	language: string;
	part: { number: number; name: string } | null;
	languageName: string | null;
}

/**
 * Returns the editions whose covers the landing page shows: the first part in the page's language, and behind it the
 * second part or another language.
 */
export function coverEditions(offered: OfferedEditions, locale: Locale): CoverEdition[] {
	const { parts, languages } = offered;
	const [first = 1, second] = parts.map(({ number }) => number);
	const codes = languages.map(({ code }) => code);
	const language = codes.find((code) => code === locale) ?? codes[0] ?? locale;
	const otherLanguage = codes.find((code) => code !== language);
	const front = { part: first, language };
	const rear = { part: second ?? first, language: otherLanguage ?? language };
	const isOne = rear.part === front.part && rear.language === front.language;
	return (isOne ? [front] : [front, rear]).map((edition) => toCoverEdition(offered, edition, locale));
}

function toCoverEdition(
	offered: OfferedEditions,
	{ part: number, language }: { part: number; language: string },
	locale: Locale,
): CoverEdition {
	const options = { locale: language === 'en' || language === 'hi' ? language : locale };
	const ownNames: Record<number, typeof m.landing_cover_part_one> = {
		1: m.landing_cover_part_one,
		2: m.landing_cover_part_two,
	};
	const partLabel = (part: number) => ownNames[part]?.({}, options) ?? m.reader_part({ part: String(part) }, options);
	return {
		key: editionKeyOf({ part: number, language }),
		language,
		part: offered.parts.length === 1 ? null : { number, name: partName(offered, number, { ...options, partLabel }) },
		languageName: offered.languages.length === 1 ? null : findLanguage(offered, language).name,
	};
}
