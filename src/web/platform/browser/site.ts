import type { Locale } from '#contract/core/text.ts';
import { getLocale } from '#messages/runtime';
import { pageMeta } from './page-head.ts';

/** How the site presents itself: the server writes it into the page. */
interface Site {
	/** Languages of the storefront. */
	languages: readonly Locale[];
	/** URL of the icon; null for the default book's. */
	icon: string | null;
	/** Whether the cover of the default book is drawn. */
	hasDefaultDrawings: boolean;
	/** Colours of drawn covers. */
	colors: { ground: string; ink: string };
	/** Title of the book settings, and uploaded covers by edition key. */
	title: string;
	covers: Readonly<Record<string, string>>;
	/** Number of excerpts on the landing page. */
	excerptCount: number;
	texts: Record<Locale, { wordmark: string; bookTitle: string; author: string }>;
}

let cached: Site | undefined;

export function readSite(): Site {
	cached ??= (JSON.parse(pageMeta('site') ?? 'null') as Site | null) ?? unnamedSite;
	return cached;
}

/** For pages without the meta element: the service worker may have cached one of an earlier version. */
const noTexts = { wordmark: '', bookTitle: '', author: '' };
const unnamedSite: Site = {
	languages: ['en', 'hi'],
	icon: null,
	hasDefaultDrawings: true,
	colors: { ground: '', ink: '' },
	title: '',
	covers: {},
	excerptCount: 0,
	texts: { en: noTexts, hi: noTexts },
};

/** Returns the name of the site, in the language of the page. */
export function siteName(): string {
	return readSite().texts[getLocale()].wordmark;
}

/** Says how texts mention the excerpts of the landing page. */
export function excerptWording(): { excerpts: 'none' | 'one' | 'many' } {
	const { excerptCount = 0 } = readSite();
	return { excerpts: excerptCount === 0 ? 'none' : excerptCount === 1 ? 'one' : 'many' };
}

/** Returns a title in a language. Only the title that the book has now has a translation. */
export function localizeTitle(title: string, locale: Locale): string {
	const site = readSite();
	return title === site.title ? site.texts[locale].bookTitle : title;
}
