import { type Locale, locales } from '#contract/core/text.ts';
import type { SiteIdentity } from '#contract/storefront/site-identity.ts';
import { type StorefrontData, toPageProps } from './storefront-data.ts';

/** `--accent-fill` of tokens.css. */
const defaultAccent = '#f0a63a';

export function toSiteIdentity(data: StorefrontData): SiteIdentity {
	const { content, pictures } = data;
	const { book, contact } = data.props;
	// In a language that the storefront does not have, the workspace names the site as its first language does.
	const shownLocale = (locale: Locale) =>
		(content.languages.includes(locale) ? locale : content.languages[0]) ?? locale;
	const pageIn = (locale: Locale) => toPageProps(data, shownLocale(locale)).content;
	const textsIn = (locale: Locale) => {
		const { wordmark, bookTitle, author } = pageIn(locale);
		return [locale, { wordmark, bookTitle, author }] as const;
	};
	const { icon, hasDefaultDrawings, excerpts } = pageIn('en');
	const { ground, ink } = content['covers.drawing'];
	const covers = Object.entries(content.covers).map(([key, id]) => [key, pictures.get(id)?.src] as const);
	return {
		languages: content.languages,
		icon,
		hasDefaultDrawings,
		colors: { accent: content['colors.accent'] ?? defaultAccent, ground, ink },
		title: book.title,
		covers: Object.fromEntries(covers.filter((cover): cover is [string, string] => cover[1] !== undefined)),
		contact: { email: contact.email, phone: contact.phone },
		excerptCount: excerpts.items.length,
		texts: Object.fromEntries(locales.map(textsIn)) as SiteIdentity['texts'],
	};
}
