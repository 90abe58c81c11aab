import { useSyncExternalStore } from 'react';
import type { Locale } from '#contract/core/text.ts';
import { overwriteGetLocale } from '#messages/runtime';

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

let current: Locale = 'en';
const listeners = new Set<() => void>();

/** Reads the language from the cookie. All messages and the document's `lang` follow it, and later changes. */
export function startLocale(): void {
	overwriteGetLocale(() => current);
	applyLocale(readLocale());
}

/** Returns the language of this page. */
export function currentLocale(): Locale {
	return current;
}

/** Stores the language and renders the page in it; typed text, open dialogs and running work are not affected. */
export function chooseLocale(locale: Locale): void {
	const secure = window.location.protocol === 'https:' ? '; Secure' : '';
	// biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API exists in secure contexts only.
	document.cookie = `${cookieName}=${locale}; Path=/; Max-Age=${yearSeconds}; SameSite=Lax${secure}`;
	applyLocale(locale);
}

/**
 * Calls `listener` after each change of the language.
 * @returns a function that unsubscribes
 */
export function onLocaleChange(listener: () => void): () => void {
	listeners.add(listener);
	return () => listeners.delete(listener);
}

/**
 * Returns the language of this page; the component renders again when it changes. Needed by components that their
 * parent's render does not reach (screens below the router, memoised rows).
 */
export function useLocale(): Locale {
	return useSyncExternalStore(onLocaleChange, currentLocale);
}

function applyLocale(locale: Locale): void {
	current = locale;
	document.documentElement.lang = locale;
	for (const listener of listeners) listener();
}
