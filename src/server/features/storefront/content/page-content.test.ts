import { expect, test } from 'vitest';
import { bookDefaults } from '#contract/book/book-settings.ts';
import { type BookLanguage, editionDefaults, unnamedPart } from '#contract/book/editions.ts';
import { contentFields, templates } from '#contract/storefront/content-fields.ts';
import type { PageContent } from '#contract/storefront/page-content.ts';
import { makePageContent, type PageContentOptions } from '../../../../../test/support/storefront/page-content.ts';
import { defaultContent } from './content-values.ts';

const both = (en: string, hi = '') => ({ en, hi });
const [english, hindi] = editionDefaults.languages as [BookLanguage, BookLanguage];
const oneEdition = { parts: [unnamedPart(1)], languages: [english] };
const cookbook = { ...bookDefaults, title: "Dadi's Kitchen", discountedPrice: 750, offered: oneEdition };
const own = { ...bookDefaults, title: 'The Ledger' };
const picture = { src: '/storefront/images/p1/960.jpg', width: 960, height: 1440, avif: 'a 960w', webp: 'w 960w' };

const none = both('');
const excerpt = { id: 'x', label: both('Recipe 7'), shortLabel: none, title: both('Dal'), lead: none, note: none };

const headings = ({ hero, purchase, wordmark }: PageContent) => [
	hero.headline,
	hero.accent,
	purchase.heading,
	wordmark,
];
const coverLabels = ({ covers }: PageContent) => covers.map(({ part, languageName }) => [part, languageName]);

/** The specified content of the default book is compared as a whole in `default-storefront.test.ts`. */
test.each<[behaviour: string, PageContentOptions, read: (page: PageContent) => unknown, expected: unknown]>([
	[
		'does not translate a title other than the default',
		{ book: own, locale: 'hi' },
		({ bookTitle }) => bookTitle,
		'The Ledger',
	],
	[
		'has the translated title of the owner',
		{ book: own, locale: 'hi', changes: { 'book.title': both('', 'बही-खाता') } },
		({ bookTitle, hero }) => [bookTitle, hero.headline],
		['बही-खाता', 'बही-खाता'],
	],
	[
		'leaves out the default accent beside another title',
		{ book: own },
		headings,
		['The Ledger', '', 'The Ledger', 'Folio'],
	],
	[
		'keeps an accent of the owner beside another title',
		{ book: own, changes: { 'hero.accent': both('2nd edition') } },
		headings,
		['The Ledger', '2nd edition', 'The Ledger', 'Folio'],
	],
	[
		'uses the title as headline, heading and wordmark without texts for them',
		{ book: cookbook, template: 'empty' },
		headings,
		["Dadi's Kitchen", '', "Dadi's Kitchen", "Dadi's Kitchen"],
	],
	[
		'names neither part nor language on the cover of a single edition',
		{ book: cookbook, template: 'empty' },
		coverLabels,
		[[null, null]],
	],
	[
		'leaves out default texts that name the default editions if the book has other editions',
		{ book: { ...own, offered: oneEdition } },
		({ head, excerpts }) => [head.description.slice(0, 57), excerpts.items.map(({ note }) => note)],
		['A plain book about belief, mindset and patient work, for ', ['', '']],
	],
	[
		'has a cover for each language of a book without parts',
		{ book: { ...own, offered: { parts: [unnamedPart(1)], languages: [english, hindi] } } },
		coverLabels,
		[
			[null, 'English'],
			[null, 'हिन्दी'],
		],
	],
	[
		'shows an uploaded cover for its edition, and draws no pyramid beside it',
		{ changes: { covers: { 'part-1-en': 'p1' } } },
		(page) => [page.covers.map((cover) => [cover.picture, cover.drawing.style]), page.hasDefaultDrawings, page.icon],
		[
			[
				[picture, 'plain'],
				[null, 'plain'],
			],
			false,
			'/book.svg',
		],
	],
	[
		'ignores the cover of an edition that is no longer offered',
		{ changes: { covers: { 'part-9-fr': 'p1' } } },
		(page) => [page.covers.map(({ drawing }) => drawing.style), page.hasDefaultDrawings, page.icon],
		[['pyramid', 'pyramid'], true, null],
	],
	[
		'draws plain covers for a title that is too long for a cover with a pyramid',
		{ book: { ...own, title: 'How to build something that stays in your family' } },
		({ covers }) => covers.map(({ drawing }) => drawing.style),
		['plain', 'plain'],
	],
	[
		'leaves out benefits and steps without texts in the language of the page',
		{
			changes: {
				'benefits.items': [
					{ id: 'a', title: both('', 'हिन्दी'), text: none },
					{ id: 'b', title: both('Second'), text: none },
				],
				'how.steps': Array.from({ length: 4 }, () => ({ title: none, text: none })),
			},
		},
		({ benefits, how }) => [benefits.items, how.steps],
		[[{ title: 'Second', text: '' }], []],
	],
	[
		'adds reading time, short label and pictures to an excerpt',
		{ changes: { 'excerpts.items': [{ ...excerpt, text: both(`![Dal](${picture.src}) ${'word '.repeat(500)}`) }] } },
		({ excerpts }) => excerpts.items.map(({ shortLabel, minutes, pictures }) => [shortLabel, minutes, pictures]),
		[['Recipe 7', 3, { p1: picture }]],
	],
	[
		'says no longer that there are two chapters to read if there is one excerpt',
		{ changes: { 'excerpts.items': [{ ...excerpt, text: both('Wash the dal.') }] } },
		({ excerpts, head, hero }) => [excerpts.heading, head.description === hero.tagline],
		['An excerpt to read here', true],
	],
	[
		'keeps $ in the title of the footer',
		{ book: { ...own, title: "Make $$$ with $& and $'" } },
		({ footer }) => footer.text.slice(0, 35),
		"The home of Make $$$ with $& and $'",
	],
	[
		'leaves out an excerpt without title and text in the language of the page',
		{ locale: 'hi', changes: { 'excerpts.items': [{ ...excerpt, text: both('English text') }] } },
		({ excerpts }) => excerpts.items,
		[],
	],
	[
		'derives the description from the tagline, and the picture for links from title and cover',
		{ book: cookbook, template: 'empty', changes: { 'hero.tagline': both('Forty recipes.') } },
		({ head }) => [head.description, head.socialImage.url],
		['Forty recipes.', '/storefront/social-en.png'],
	],
	['has no stylesheet for the default colours', {}, ({ colorsStylesheet }) => colorsStylesheet, null],
])('presentContent %s', (_behaviour, options, read, expected) => {
	expect(read(makePageContent({ pictures: new Map([['p1', picture]]), ...options }))).toEqual(expected);
});

test.each(templates)('the default content of the template %s conforms to the fields', (template) => {
	const content = defaultContent(template);
	expect(content.template).toBe(template);
	for (const [field, schema] of Object.entries(contentFields))
		expect(schema.parse(content[field as keyof typeof content]), field).toEqual(content[field as keyof typeof content]);
});
