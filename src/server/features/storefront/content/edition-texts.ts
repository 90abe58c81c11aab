import { editionKeyOf, editionWording, findLanguage, type OfferedEditions, partName } from '#contract/book/editions.ts';
import { type Locale, locales } from '#contract/core/text.ts';
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

const partNames: Record<number, typeof m.landing_cover_part_one> = {
	1: m.landing_cover_part_one,
	2: m.landing_cover_part_two,
};

/**
 * Returns the editions whose covers the landing page shows: the first part in the page's language, and behind it the
 * second part or another language. `titleLocale` is the language of the texts on the cover.
 */
export function coverEditions(offered: OfferedEditions, locale: Locale) {
	const { parts, languages } = offered;
	const [first = 1, second] = parts.map(({ number }) => number);
	const codes = languages.map(({ code }) => code);
	const language = codes.find((code) => code === locale) ?? codes[0] ?? locale;
	const otherLanguage = codes.find((code) => code !== language);
	const front = { number: first, language };
	const rear = { number: second ?? first, language: otherLanguage ?? language };
	const isOne = rear.number === front.number && rear.language === front.language;
	return (isOne ? [front] : [front, rear]).map((edition) => {
		const { number } = edition;
		const titleLocale = locales.find((known) => known === edition.language) ?? locale;
		const options = { locale: titleLocale };
		const partLabel = (part: number) =>
			partNames[part]?.({}, options) ?? m.reader_part({ part: String(part) }, options);
		return {
			key: editionKeyOf({ part: number, language: edition.language }),
			language: edition.language,
			titleLocale,
			part: parts.length === 1 ? null : { number, name: partName(offered, number, { ...options, partLabel }) },
			languageName: languages.length === 1 ? null : findLanguage(offered, edition.language).name,
		};
	});
}
