import type { Locale } from '#contract/storefront/landing.ts';
import { m } from '#messages';

type Message = (params?: Record<string, string>, options?: { locale: Locale }) => string;

/** The sentence behind a key of the message files; the key itself when there is none, so that nothing falls silent. */
export function translate(key: string, locale: Locale, params: Record<string, string> = {}): string {
	const message = (m as unknown as Record<string, Message | undefined>)[key];
	return message === undefined ? key : message(params, { locale });
}
