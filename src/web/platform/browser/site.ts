import type { SiteIdentity } from '#contract/storefront/site-identity.ts';
import { getLocale } from '#messages/runtime';
import { pageMeta } from './page-head.ts';

let cached: SiteIdentity | undefined;

export function readSite(): SiteIdentity {
	cached ??= (JSON.parse(pageMeta('site') ?? 'null') as SiteIdentity | null) ?? unnamedSite;
	return cached;
}

/** For a page without the meta element, which the service worker may have cached from an earlier version. */
const noTexts = { wordmark: '', bookTitle: '', author: '' };
const unnamedSite: SiteIdentity = {
	languages: ['en', 'hi'],
	icon: null,
	hasDefaultDrawings: true,
	colors: { accent: '', ground: '', ink: '' },
	title: '',
	covers: {},
	contact: { email: '', phone: '' },
	excerptCount: 0,
	texts: { en: noTexts, hi: noTexts },
};

/** Returns the name of the site, in the language of the page. */
export function siteName(): string {
	return readSite().texts[getLocale()].wordmark;
}

/** Returns the parameter by which texts mention no, one or several excerpts of the landing page. */
export function excerptWording(): { excerpts: 'none' | 'one' | 'many' } {
	const { excerptCount } = readSite();
	return { excerpts: excerptCount === 0 ? 'none' : excerptCount === 1 ? 'one' : 'many' };
}
