import { expect, test } from 'vitest';
import { bookDefaults } from '#contract/book/book-settings.ts';
import { type BookLanguage, editionDefaults, editionWording, unnamedPart } from '#contract/book/editions.ts';
import type { Locale } from '#contract/core/text.ts';
import { m } from '#messages';
import { presentEditionTexts } from './edition-texts.ts';

const [en, hi] = editionDefaults.languages as [BookLanguage, BookLanguage];
const mr = { code: 'mr', name: 'मराठी' };
const headlines = { en: 'Build Your Empire 1.0', hi: 'अपना साम्राज्य बनाएँ 1.0' };

/** Every text about the editions, for a book of these parts and languages. */
function textsOf(parts: readonly number[], languages: readonly BookLanguage[], locale: Locale) {
	const offered = { parts: parts.map(unnamedPart), languages: [...languages] };
	const wording = editionWording(offered, locale);
	const options = { locale };
	return {
		...presentEditionTexts(offered, locale, headlines[locale]),
		terms: m.legal_terms_payment(wording, options),
		item: m.mail_order_item({ ...wording, title: bookDefaults.title }, options),
		welcome: m.welcome_book(wording, options),
		open: m.welcome_open(wording, options),
	};
}

test.each([
	[
		'en',
		'Build Your Empire, parts 1 and 2',
		'The book comes in two parts, in English and in Hindi. You read it here, on any device, and it remembers your page.',
		'It is open for you: choose an edition on your dashboard and begin.',
	],
	[
		'hi',
		'Build Your Empire, भाग 1 और 2',
		'किताब दो भागों में है, अंग्रेज़ी और हिन्दी दोनों में। इसे यहीं, किसी भी डिवाइस पर पढ़ें; आप किस पेज पर थे, यह याद रहता है।',
		'यह आपके लिए खुली है: डैशबोर्ड पर संस्करण चुनें और शुरू करें।',
	],
] as const)('order item and welcome of the default book are as specified (%s)', (locale, item, welcome, open) => {
	expect(textsOf([1, 2], [en, hi], locale)).toMatchObject({ item, welcome, open });
});

const mentionOfParts = /\bboth\b|\btwo (?!chapters)|\bparts?\b|भाग(?!\p{L})|भागों|दोनों|दो (?!अध्याय)/iu;

test.each([
	['one English edition', [1], [en], 'en', /Hindi|हिन्दी|English/u],
	['one English edition', [1], [en], 'hi', /Hindi|हिन्दी/u],
	['one Hindi edition', [2], [hi], 'en', /English|अंग्रेज़ी/u],
	['one Hindi edition', [2], [hi], 'hi', /English|अंग्रेज़ी|हिन्दी/u],
	['one part in two languages', [1], [en, mr], 'en', /Hindi|हिन्दी/u],
	['one part in two languages', [1], [en, mr], 'hi', /Hindi|हिन्दी/u],
] as const)('no text of %s mentions parts or other languages (%4$s)', (_what, parts, languages, locale, others) => {
	const all = JSON.stringify(textsOf(parts, languages, locale));
	expect(all).not.toMatch(mentionOfParts);
	expect(all).not.toMatch(others);
	expect(all).not.toMatch(/[{}[\]]\w|undefined| {2}|In \.|, {0,1}\./u);
});

test.each([
	[[1], [en], 'en', '', '', 'One payment, no subscription.', 'You pay once, at the price'],
	[[1], [hi], 'en', 'In हिन्दी', '', 'In हिन्दी. One payment', 'You pay once for the book in Hindi, at'],
	[[1], [en, hi], 'en', 'In English and हिन्दी', '', 'In English and हिन्दी. One', 'the book in English and Hindi, at'],
	[[1, 2], [en], 'en', 'In 2 parts', 'for both parts', 'Both parts. One payment', 'once for both parts, at'],
	[
		[1, 2],
		[en, mr],
		'en',
		'In 2 parts, in English and मराठी',
		'for both parts',
		'Both parts, in English and मराठी.',
		'for both parts, in English and Marathi, at',
	],
	[[1, 2, 3], [en], 'en', 'In 3 parts', 'for all 3 parts', 'All 3 parts. One', 'once for all 3 parts, at'],
	[
		[1, 2, 3],
		[en, hi],
		'en',
		'In 3 parts, in English and हिन्दी',
		'for all 3 parts',
		'All 3 parts, in English and हिन्दी.',
		'for all 3 parts, in English and Hindi, at',
	],
	[[1], [hi], 'hi', '', '', 'एक बार भुगतान', 'आप एक ही बार'],
	[[1], [en], 'hi', 'अंग्रेज़ी में', '', 'अंग्रेज़ी में। एक', 'आप पुस्तक के लिए, अंग्रेज़ी में, एक'],
	[
		[1, 2, 3],
		[en, hi],
		'hi',
		'3 भागों में, अंग्रेज़ी और हिन्दी में',
		'सभी 3 भागों के लिए',
		'सभी 3 भाग, अंग्रेज़ी और हिन्दी में।',
		'आप सभी 3 भागों के लिए, अंग्रेज़ी और हिन्दी में, एक',
	],
] as const)('the texts of parts %j in %j (%s)', (parts, languages, locale, eyebrow, price, lead, terms) => {
	const actual = textsOf(parts, languages, locale);
	expect(actual).toMatchObject({ eyebrow, priceNote: price });
	expect(actual.purchaseLead).toContain(lead);
	expect(actual.terms).toContain(terms);
});

test.each([
	[[1], 'A Book'],
	[[1, 2], 'A Book, parts 1 and 2'],
	[[1, 3], 'A Book, in 2 parts'],
	[[1, 2, 3], 'A Book, in 3 parts'],
] as const)('the order item of parts %j is %j', (parts, item) => {
	const offered = { parts: parts.map(unnamedPart), languages: [en] };
	expect(m.mail_order_item({ ...editionWording(offered, 'en'), title: 'A Book' }, { locale: 'en' })).toBe(item);
});
