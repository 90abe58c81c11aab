import { bookDefaults } from '#contract/book/book-settings.ts';
import { editionDefaults } from '#contract/book/editions.ts';
import type { Locale } from '#contract/core/text.ts';
import type { Content, ContentValue } from '#contract/storefront/content-fields.ts';
import { neutralIcon, type PageContent, type PageExcerpt } from '#contract/storefront/page-content.ts';
import { m } from '#messages';
import { formatMoney } from '#shared/numbers.ts';
import { colorsStylesheetOf } from '../colors/colors-stylesheet.ts';
import { defaultContent } from './default-content.ts';
import { presentEditionTexts } from './edition-texts.ts';
import { drawsDefaultBook, localizedTitle, type Pictures, type PresentedBook, presentCovers } from './page-covers.ts';

type Localized = ContentValue<'wordmark'>;

/** Returns the content of the storefront's pages in one language, with all defaults and derived texts. */
export function presentContent(content: Content, book: PresentedBook, locale: Locale, pictures: Pictures): PageContent {
	const options = { locale };
	const text = (field: Localized) => field[locale];
	const bookTitle = localizedTitle(content, book.title, locale);
	const headline = text(content['hero.headline']) || bookTitle;
	const accent = followsOwnTitle(content, book.title, locale) ? '' : text(content['hero.accent']);
	const editions = presentEditionTexts(book.offered, locale, [headline, accent].join(' ').trim());
	const hasDefaultDrawings = drawsDefaultBook(content, book.title);
	const tagline = text(content['hero.tagline']);
	const wordmark = text(content.wordmark) || bookTitle;
	const price = formatMoney(book.discountedPrice);
	const excerpts = content['excerpts.items'].filter(({ title, text: body }) => title[locale] + body[locale] !== '');
	return {
		languages: content.languages,
		wordmark,
		icon: iconOf(content, hasDefaultDrawings, pictures),
		hasDefaultDrawings,
		author: text(content.author),
		bookTitle,
		hero: {
			eyebrow: text(content['hero.eyebrow']) || editions.eyebrow,
			headline,
			accent,
			tagline,
			callToAction: text(content['hero.callToAction']) || m.landing_buy({}, options),
			priceNote: editions.priceNote,
		},
		...presentCovers(content, book, locale, pictures),
		benefits: {
			heading: text(content['benefits.heading']) || m.landing_gain_title({}, options),
			lead: text(content['benefits.lead']),
			items: content['benefits.items'].map((item) => localize(item, locale)).filter(isNotEmpty),
		},
		excerpts: {
			heading: text(content['excerpts.heading']) || m.landing_excerpts({ count: excerpts.length }, options),
			items: excerpts.map((excerpt) => presentExcerpt(excerpt, book, locale, pictures)),
		},
		purchase: {
			heading: text(content['purchase.heading']) || bookTitle,
			lead: text(content['purchase.lead']) || editions.purchaseLead,
			steps: presentPurchaseSteps(content, locale),
		},
		how: {
			heading: text(content['how.heading']) || m.landing_how_title({}, options),
			steps: content['how.steps']
				.map((step) => localize(step, locale))
				.map((step) => ({ ...step, title: step.title.replaceAll('{price}', price) }))
				.filter(isNotEmpty),
		},
		footer: {
			text: text(content['footer.text']).replaceAll('{title}', bookTitle),
			colophon: text(content['footer.colophon']),
		},
		head: {
			title: text(content['page.title']) || editions.pageTitle,
			description: text(forEditions(content['page.description'], book)) || tagline || editions.pageTitle,
			socialImage: socialImageOf(content, hasDefaultDrawings, locale, pictures),
		},
		colorsStylesheet: colorsStylesheetOf(content, hasDefaultDrawings),
	};
}

/** Whether the headline is a title of the owner beside the unchanged accent of the default book, which belongs to its title. */
function followsOwnTitle(content: Content, title: string, locale: Locale): boolean {
	const defaults = defaultContent(content.template);
	const isDefaultAccent = content['hero.accent'][locale] === defaults['hero.accent'][locale];
	return content['hero.headline'][locale] === '' && title !== bookDefaults.title && isDefaultAccent;
}

const defaultBook = defaultContent('build-your-empire');

/** Texts of the default book that name its editions. */
const textsOfDefaultEditions: readonly Localized[] = [
	defaultBook['page.description'],
	...defaultBook['excerpts.items'].map(({ note }) => note),
];

/** Returns a text, or an empty one if it names the default editions, and the book has others. */
function forEditions(value: Localized, { offered }: PresentedBook): Localized {
	const isOfDefaultEditions = textsOfDefaultEditions.some((text) => isEqual(text, value));
	return isOfDefaultEditions && !isEqual(offered, editionDefaults) ? { en: '', hi: '' } : value;
}

function isEqual(one: unknown, other: unknown): boolean {
	return JSON.stringify(one) === JSON.stringify(other);
}

function localize({ title, text }: { title: Localized; text: Localized }, locale: Locale) {
	return { title: title[locale], text: text[locale] };
}

function isNotEmpty({ title, text }: { title: string; text: string }): boolean {
	return title + text !== '';
}

function presentPurchaseSteps(content: Content, locale: Locale) {
	const options = { locale };
	const defaultTitles = [m.landing_step_pay, m.landing_step_submit, m.landing_step_login];
	return content['purchase.steps'].map((step, i) => {
		const { title, text } = localize(step, locale);
		return { title: title || (defaultTitles[i]?.({}, options) ?? ''), text };
	});
}

function presentExcerpt(
	excerpt: Content['excerpts.items'][number],
	book: PresentedBook,
	locale: Locale,
	pictures: Pictures,
): PageExcerpt {
	const text = (field: Localized) => field[locale];
	const markdown = text(excerpt.text);
	const label = text(excerpt.label);
	return {
		id: excerpt.id,
		label,
		shortLabel: text(excerpt.shortLabel) || label,
		title: text(excerpt.title),
		lead: text(excerpt.lead),
		markdown,
		pictures: Object.fromEntries([...pictures].filter(([id]) => markdown.includes(`/${id}/`))),
		note: text(forEditions(excerpt.note, book)),
		minutes: Math.max(1, Math.round(markdown.split(/\s+/u).length / 200)),
	};
}

function iconOf(content: Content, hasDefaultDrawings: boolean, pictures: Pictures): string | null {
	const picture = pictures.get(content.icon ?? '');
	if (picture !== undefined) return picture.src;
	return hasDefaultDrawings ? null : neutralIcon;
}

/** The size that programs show for a link (Open Graph). */
const socialSize = { width: 1200, height: 630 } as const;

function socialImageOf(content: Content, hasDefaultDrawings: boolean, locale: Locale, pictures: Pictures) {
	const picture = pictures.get(content['page.socialImage'] ?? '');
	if (picture !== undefined) return { url: picture.src, width: picture.width, height: picture.height };
	return { url: hasDefaultDrawings ? '/social.png' : `/storefront/social-${locale}.png`, ...socialSize };
}
