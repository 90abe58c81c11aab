import type { Locale } from '#contract/core/text.ts';
import { m } from '#messages';

type Message = (params?: Record<string, string>, options?: { locale: Locale }) => string;

/** Returns the message of a key. For an unknown key the key is returned, so that the text is never empty. */
export function translate(key: string, locale: Locale, params: Record<string, string> = {}): string {
	const message = (m as unknown as Record<string, Message | undefined>)[key];
	return message === undefined ? key : message(params, { locale });
}
