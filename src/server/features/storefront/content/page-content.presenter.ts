import { isDeepStrictEqual } from 'node:util';
import { bookDefaults } from '#contract/book/book-settings.ts';
import { editionDefaults } from '#contract/book/editions.ts';
import type { Locale } from '#contract/core/text.ts';
import type { Content, ContentValue } from '#contract/storefront/content-fields.ts';
import { neutralIcon, type PageContent, type PageExcerpt } from '#contract/storefront/page-content.ts';
import { m } from '#messages';
import { formatMoney } from '#shared/numbers.ts';
import { colorsStylesheetOf } from '../colors/colors-stylesheet.ts';
import { defaultContent } from './content-values.ts';
import { presentEditionTexts } from './edition-texts.ts';
import { drawsDefaultBook, localizedTitle, type Pictures, type PresentedBook, presentCovers } from './page-covers.ts';

type Localized = ContentValue<'wordmark'>;

const stepTitles = [m.landing_step_pay, m.landing_step_submit, m.landing_step_login];

/** The size that programs show for a link (Open Graph). */
const socialSize = { width: 1200, height: 630 };

/** Returns the content of the storefront's pages in one language, with all defaults and derived texts. */
export function presentContent(content: Content, book: PresentedBook, locale: Locale, pictures: Pictures): PageContent {
	const options = { locale };
	const text = (field: Localized) => field[locale];
	const localize = (item: { title: Localized; text: Localized }) => ({
		title: text(item.title),
		text: text(item.text),
	});
	const bookTitle = localizedTitle(content, book.title, locale);
	const headline = text(content['hero.headline']) || bookTitle;
	const accent = isAccentOutdated(content, book.title, locale) ? '' : text(content['hero.accent']);
	const editions = presentEditionTexts(book.offered, locale, [headline, accent].join(' ').trim());
	const hasDefaultDrawings = drawsDefaultBook(content, book);
	const socialPicture = pictures.get(content['page.socialImage'] ?? '');
	const tagline = text(content['hero.tagline']);
	const wordmark = text(content.wordmark) || bookTitle;
	const price = formatMoney(book.discountedPrice);
	const excerpts = content['excerpts.items'].filter(({ title, text: body }) => title[locale] + body[locale] !== '');
	/** Returns a text; '' for a default text that mentions two excerpts, if there is another number of them. */
	const forExcerpts = (value: Localized, byDefault: Localized) =>
		text(value) === text(byDefault) && excerpts.length !== 2 ? '' : text(value);
	return {
		template: content.template,
		languages: content.languages,
		wordmark,
		icon: pictures.get(content.icon ?? '')?.src ?? (hasDefaultDrawings ? null : neutralIcon),
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
			name: text(content['benefits.heading']) || m.landing_nav_gain({}, options),
			lead: text(content['benefits.lead']),
			items: content['benefits.items'].map(localize).filter(isNotEmpty),
		},
		excerpts: {
			heading:
				forExcerpts(content['excerpts.heading'], defaultBook['excerpts.heading']) ||
				m.landing_excerpts({ count: excerpts.length }, options),
			items: excerpts.map((excerpt) => presentExcerpt(excerpt, book, locale, pictures)),
		},
		purchase: {
			heading: text(content['purchase.heading']) || bookTitle,
			lead: text(content['purchase.lead']) || editions.purchaseLead,
			steps: content['purchase.steps']
				.map(localize)
				.map((step, i) => ({ ...step, title: step.title || (stepTitles[i]?.({}, options) ?? '') })),
		},
		how: {
			heading: text(content['how.heading']) || m.landing_how_title({}, options),
			steps: content['how.steps']
				.map(localize)
				.map((step) => ({ ...step, title: step.title.replaceAll('{price}', () => price) }))
				.filter(isNotEmpty),
		},
		footer: {
			text: text(content['footer.text']).replaceAll('{title}', () => bookTitle),
			colophon: text(content['footer.colophon']),
		},
		head: {
			title: text(content['page.title']) || editions.pageTitle,
			description:
				forExcerpts(forEditions(content['page.description'], book), defaultBook['page.description']) ||
				tagline ||
				editions.pageTitle,
			socialImage:
				socialPicture === undefined
					? { url: hasDefaultDrawings ? '/social.png' : `/storefront/social-${locale}.png`, ...socialSize }
					: { url: socialPicture.src, width: socialPicture.width, height: socialPicture.height },
		},
		colorsStylesheet: colorsStylesheetOf(content, hasDefaultDrawings),
	};
}

/** Whether the headline is the owner's title, but the accent is still that of the default title. */
function isAccentOutdated(content: Content, title: string, locale: Locale): boolean {
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
	const isOfDefaultEditions = textsOfDefaultEditions.some((text) => isDeepStrictEqual(text, value));
	return isOfDefaultEditions && !isDeepStrictEqual(offered, editionDefaults) ? { en: '', hi: '' } : value;
}

function isNotEmpty({ title, text }: { title: string; text: string }): boolean {
	return title + text !== '';
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
