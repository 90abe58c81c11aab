import type { Locale } from '#contract/core/text.ts';
import { overwriteGetLocale } from '#messages/runtime';
import { createSharedValue } from '../events/emitter.ts';

/** Cookie that the browser and the server read; `?lang=` sets it on the server. */
const cookieName = 'lang';
const yearSeconds = 365 * 24 * 60 * 60;

function readLocale(): Locale {
	const value = document.cookie
		.split('; ')
		.find((pair) => pair.startsWith(`${cookieName}=`))
		?.slice(cookieName.length + 1);
	return value === 'hi' ? 'hi' : 'en';
}

const current = createSharedValue<Locale>('en');

/** Reads the language from the cookie, and sets it for all messages and the document's `lang`. */
export function startLocale(): void {
	overwriteGetLocale(current.get);
	applyLocale(readLocale());
}

export const currentLocale = current.get;

/** Stores the language and renders the page in it; typed text, open dialogs and running uploads are kept. */
export function chooseLocale(locale: Locale): void {
	const secure = window.location.protocol === 'https:' ? '; Secure' : '';
	// biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API exists in secure contexts only.
	document.cookie = `${cookieName}=${locale}; Path=/; Max-Age=${yearSeconds}; SameSite=Lax${secure}`;
	applyLocale(locale);
}

/** Calls `listener` after each change of the language. Returns a function that unsubscribes. */
export const onLocaleChange = current.subscribe;

/** Returns the language, and renders the component again when it changes. Needed in memoized components. */
export const useLocale = current.useValue;

function applyLocale(locale: Locale): void {
	document.documentElement.lang = locale;
	current.set(locale);
}
