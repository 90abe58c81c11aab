import { m } from '#messages';
import { businessTimeZone } from '#web/platform/format.ts';
import { useMe } from '#web/platform/session.ts';
import { greetingAt } from './greeting.ts';

const words = {
	morning: m.reader_greeting_morning,
	afternoon: m.reader_greeting_afternoon,
	evening: m.reader_greeting_evening,
};

/** `Good morning, Asha`: by first name, or by address where no name is known. */
export function useGreeting(): string {
	const { name, email } = useMe();
	return words[greetingAt(new Date(), businessTimeZone())]({ name: name?.trim().split(/\s+/u)[0] || email });
}
