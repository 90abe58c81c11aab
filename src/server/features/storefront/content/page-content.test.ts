import { expect, test } from 'vitest';
import { bookDefaults } from '#contract/book/book-settings.ts';
import { editionDefaults, unnamedPart } from '#contract/book/editions.ts';
import type { Locale } from '#contract/core/text.ts';
import type { Content, Template } from '#contract/storefront/content-fields.ts';
import type { PageContent } from '#contract/storefront/page-content.ts';
import { defaultContent } from './default-content.ts';
import { presentContent } from './page-content.presenter.ts';

const both = (en: string, hi = '') => ({ en, hi });
const [english, hindi] = editionDefaults.languages as [{ code: string; name: string }, { code: string; name: string }];
const oneEdition = { parts: [unnamedPart(1)], languages: [english] };
const cookbook = { ...bookDefaults, title: "Dadi's Kitchen", discountedPrice: 750, offered: oneEdition };
const own = { ...bookDefaults, title: 'The Ledger' };
const picture = { src: '/storefront/images/p1/960.jpg', width: 960, height: 1440, avif: 'a 960w', webp: 'w 960w' };

interface Case {
	name: string;
	book?: typeof bookDefaults;
	template?: Template;
	locale?: Locale;
	content?: Partial<Content>;
	read: (page: PageContent) => unknown;
	expected: unknown;
}

const heading = (page: PageContent) => [page.hero.headline, page.hero.accent, page.purchase.heading, page.wordmark];

const cases: Case[] = [
	{
		name: 'the default title in Hindi is translated',
		locale: 'hi',
		read: ({ bookTitle }) => bookTitle,
		expected: 'अपना साम्राज्य बनाएँ',
	},
	{
		name: "another title has no translation but the owner's",
		book: own,
		locale: 'hi',
		read: ({ bookTitle }) => bookTitle,
		expected: 'The Ledger',
	},
	{
		name: 'the owner translates the title',
		book: own,
		locale: 'hi',
		content: { 'book.title': both('', 'बही-खाता') },
		read: ({ bookTitle, hero }) => [bookTitle, hero.headline],
		expected: ['बही-खाता', 'बही-खाता'],
	},
	{
		name: 'the default accent belongs to the default title',
		read: heading,
		expected: ['Build Your Empire', '1.0', 'Build Your Empire', 'Folio'],
	},
	{
		name: 'beside another title, the default accent is left out',
		book: own,
		read: heading,
		expected: ['The Ledger', '', 'The Ledger', 'Folio'],
	},
	{
		name: "the owner's accent stays beside another title",
		book: own,
		content: { 'hero.accent': both('2nd edition') },
		read: heading,
		expected: ['The Ledger', '2nd edition', 'The Ledger', 'Folio'],
	},
	{
		name: 'without texts, the title is the headline, the heading and the wordmark',
		book: cookbook,
		template: 'empty',
		read: heading,
		expected: ["Dadi's Kitchen", '', "Dadi's Kitchen", "Dadi's Kitchen"],
	},
	{
		name: 'a book in one edition speaks of no parts or languages',
		book: cookbook,
		template: 'empty',
		read: ({ hero, head, purchase, covers }) => [
			hero.eyebrow,
			hero.priceNote,
			head.title,
			purchase.lead,
			covers.map(({ part, languageName }) => [part, languageName]),
		],
		expected: ['', '', "Dadi's Kitchen", 'One payment, no subscription.', [[null, null]]],
	},
	{
		name: 'a default text that names the default editions is left out for others',
		book: { ...own, offered: oneEdition },
		read: ({ head, excerpts }) => [head.description.slice(0, 57), excerpts.items.map(({ note }) => note)],
		expected: ['A plain book about belief, mindset and patient work, for ', ['', '']],
	},
	{
		name: 'the front cover is in the language of the page, the second part behind it in the other',
		locale: 'hi',
		read: ({ covers }) => covers.map(({ language, part, title }) => [language, part?.number, title]),
		expected: [
			['hi', 1, 'अपना साम्राज्य बनाएँ'],
			['en', 2, 'Build Your Empire'],
		],
	},
	{
		name: 'a book in two languages without parts has a cover for each language',
		book: { ...own, offered: { parts: [unnamedPart(1)], languages: [english, hindi] } },
		read: ({ covers, hero }) => [covers.map(({ part, languageName }) => [part, languageName]), hero.eyebrow],
		expected: [
			[
				[null, 'English'],
				[null, 'हिन्दी'],
			],
			'In English and हिन्दी',
		],
	},
	{
		name: 'an uploaded cover belongs to its edition, and no pyramid is drawn beside it',
		content: { covers: { 'part-1-en': 'p1' } },
		read: ({ covers, hasDefaultDrawings, icon }) => [
			covers.map((cover) => [cover.picture, cover.drawing.style]),
			hasDefaultDrawings,
			icon,
		],
		expected: [
			[
				[picture, 'plain'],
				[null, 'plain'],
			],
			false,
			'/book.svg',
		],
	},
	{
		name: 'a long title has no space on a cover with a pyramid',
		book: { ...own, title: 'How to build something that stays in your family' },
		read: ({ covers }) => covers.map(({ drawing }) => drawing.style),
		expected: ['plain', 'plain'],
	},
	{
		name: 'placeholders are replaced',
		book: { ...own, discountedPrice: 1250 },
		read: ({ how, footer }) => [how.steps[0]?.title, footer.text.slice(0, 23)],
		expected: ['Pay ₹1,250', 'The home of The Ledger.'],
	},
	{
		name: 'empty benefits, excerpts and steps are left out',
		content: {
			'benefits.items': [
				{ id: 'a', title: both('', 'हिन्दी'), text: both('') },
				{ id: 'b', title: both('Second'), text: both('') },
			],
			'excerpts.items': [],
			'how.steps': Array.from({ length: 4 }, () => ({ title: both(''), text: both('') })),
		},
		read: ({ benefits, excerpts, how }) => [benefits.items, excerpts.items, how.steps],
		expected: [[{ title: 'Second', text: '' }], [], []],
	},
	{
		name: 'an excerpt has its reading time, a short label and its pictures',
		content: {
			'excerpts.items': [
				{
					id: 'x',
					label: both('Recipe 7'),
					shortLabel: both(''),
					title: both('Dal'),
					lead: both(''),
					text: both(`![Dal](${picture.src}) ${'word '.repeat(500)}`),
					note: both(''),
				},
			],
		},
		read: ({ excerpts: { items } }) =>
			items.map(({ shortLabel, minutes, pictures }) => [shortLabel, minutes, pictures]),
		expected: [['Recipe 7', 3, { p1: picture }]],
	},
	{
		name: 'an excerpt without text in the language of the page is left out',
		locale: 'hi',
		content: {
			'excerpts.items': [
				{
					...defaultExcerpt(),
					title: both('Only English'),
					text: both('English text'),
				},
			],
		},
		read: ({ excerpts }) => excerpts.items,
		expected: [],
	},
	{
		name: 'the description is derived from the tagline, the picture for links from title and cover',
		book: cookbook,
		template: 'empty',
		content: { 'hero.tagline': both('Forty recipes.') },
		read: ({ head }) => [head.description, head.socialImage.url],
		expected: ['Forty recipes.', '/storefront/social-en.png'],
	},
	{
		name: 'only colours other than the default have a stylesheet',
		read: ({ colorsStylesheet }) => colorsStylesheet,
		expected: null,
	},
	{
		name: 'the stylesheet names the colours',
		content: { 'colors.accent': '#2457a6' },
		read: ({ colorsStylesheet }) => colorsStylesheet,
		expected: expect.stringMatching(/^\/storefront\/colors\/2457a6-default-[0-9a-f]{6}-[0-9a-f]{6}-1\.css$/u),
	},
];

function defaultExcerpt(): Content['excerpts.items'][number] {
	const [excerpt] = defaultContent('build-your-empire')['excerpts.items'];
	if (excerpt === undefined) throw new Error('The template has no excerpt.');
	return excerpt;
}

test.each(cases)(
	'presentContent: $name',
	({ book = bookDefaults, template = 'build-your-empire', locale = 'en', content = {}, read, expected }) => {
		const pictures = new Map([['p1', picture]]);
		const page = presentContent({ ...defaultContent(template), ...content }, book, locale, pictures);
		expect(read(page)).toEqual(expected);
	},
);
