import { getLocale, overwriteGetLocale } from '#messages/runtime';

export type Locale = 'en' | 'hi';

/** The cookie that both sides read; `?lang=` sets it on the server. */
const cookieName = 'lang';
const yearSeconds = 365 * 24 * 60 * 60;

function readLocale(): Locale {
	const value = document.cookie
		.split('; ')
		.find((pair) => pair.startsWith(`${cookieName}=`))
		?.slice(cookieName.length + 1);
	return value === 'hi' ? 'hi' : 'en';
}

/** Takes the language from the cookie, once: every message and the document's `lang` follow it. */
export function startLocale(): void {
	const locale = readLocale();
	overwriteGetLocale(() => locale);
	document.documentElement.lang = locale;
}

/** The language of this page. */
export function currentLocale(): Locale {
	return getLocale();
}

/** Remembers the language and draws the page anew in it (a screen with unsaved work may hold the reload back). */
export function chooseLocale(locale: Locale): void {
	const secure = window.location.protocol === 'https:' ? '; Secure' : '';
	// biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API exists in secure contexts only.
	document.cookie = `${cookieName}=${locale}; Path=/; Max-Age=${yearSeconds}; SameSite=Lax${secure}`;
	window.location.reload();
}
