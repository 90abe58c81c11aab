import type { Locale } from '#contract/core/text.ts';
import { m } from '#messages';

type Message = (params?: Record<string, string>, options?: { locale: Locale }) => string;
const messages = m as unknown as Record<string, Message>;

/** Value for a placeholder of a message. A function returns the value in the language of the message. */
export type MessageParam = string | ((locale: Locale) => string);

/** Returns the message of a key. For an unknown key the key is returned, so that the text is never empty. */
export function translate(key: string, locale: Locale, params: Record<string, MessageParam> = {}): string {
	if (!(key in messages)) return key;
	const values = Object.entries(params).map(([name, value]) => [
		name,
		typeof value === 'string' ? value : value(locale),
	]);
	return (messages[key] as Message)(Object.fromEntries(values), { locale });
}
