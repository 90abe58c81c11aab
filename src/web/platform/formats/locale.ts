import type { Locale } from '#contract/core/text.ts';
import { overwriteGetLocale } from '#messages/runtime';
import { readSite } from '../browser/site.ts';
import { createSharedValue } from '../events/emitter.ts';

/** The server reads this cookie too, and sets it for `?lang=`. */
const cookieName = 'lang';
const yearSeconds = 365 * 24 * 60 * 60;

/**
 * Returns the language of the cookie, which may be newer than a page that the service worker has cached; otherwise the
 * one that the server has chosen, as for a visitor of a storefront without the cookie's language.
 */
function readLocale(): Locale {
	const value = document.cookie
		.split('; ')
		.find((pair) => pair.startsWith(`${cookieName}=`))
		?.slice(cookieName.length + 1);
	const served = document.documentElement.lang === 'hi' ? 'hi' : 'en';
	return readSite().languages.find((locale) => locale === value) ?? served;
}

const current = createSharedValue<Locale>('en');

/** Sets the language of all messages and of the document from the cookie. */
export function startLocale(): void {
	overwriteGetLocale(current.get);
	applyLocale(readLocale());
}

export const currentLocale = current.get;

/** Changes the language without a reload, so that typed text, open dialogs and running uploads stay. */
export function chooseLocale(locale: Locale): void {
	const secure = window.location.protocol === 'https:' ? '; Secure' : '';
	// biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API exists in secure contexts only.
	document.cookie = `${cookieName}=${locale}; Path=/; Max-Age=${yearSeconds}; SameSite=Lax${secure}`;
	applyLocale(locale);
}

/** Calls `listener` after each change. Returns a function that unsubscribes. */
export const onLocaleChange = current.subscribe;

/** Returns the language. Renders the component again after a change, which memoized components need. */
export const useLocale = current.useValue;

function applyLocale(locale: Locale): void {
	document.documentElement.lang = locale;
	current.set(locale);
}
