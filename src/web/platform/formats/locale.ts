import { useSyncExternalStore } from 'react';
import { overwriteGetLocale } from '#messages/runtime';

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

let current: Locale = 'en';
const listeners = new Set<() => void>();

/** Takes the language from the cookie: every message and the document's `lang` follow it, and every later choice. */
export function startLocale(): void {
	overwriteGetLocale(() => current);
	applyLocale(readLocale());
}

/** The language of this page. */
export function currentLocale(): Locale {
	return current;
}

/** Remembers the language and draws the page in it; what is typed, open or under way stays as it is. */
export function chooseLocale(locale: Locale): void {
	const secure = window.location.protocol === 'https:' ? '; Secure' : '';
	// biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API exists in secure contexts only.
	document.cookie = `${cookieName}=${locale}; Path=/; Max-Age=${yearSeconds}; SameSite=Lax${secure}`;
	applyLocale(locale);
}

/** Calls back after each change of the language. @returns how to stop */
export function onLocaleChange(listener: () => void): () => void {
	listeners.add(listener);
	return () => listeners.delete(listener);
}

/**
 * The language of this page, and a component that is drawn anew when it changes: needed by whatever its parent's drawing
 * does not reach (screens below the router, memoised rows).
 */
export function useLocale(): Locale {
	return useSyncExternalStore(onLocaleChange, currentLocale);
}

function applyLocale(locale: Locale): void {
	current = locale;
	document.documentElement.lang = locale;
	for (const listener of listeners) listener();
}
