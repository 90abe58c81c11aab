import { m } from '#messages';
import { businessTimeZone } from '#web/platform/format.ts';
import { useMe } from '#web/platform/session.ts';
import { greetingAt } from './greeting.ts';

const named = {
	morning: m.reader_greeting_morning,
	afternoon: m.reader_greeting_afternoon,
	evening: m.reader_greeting_evening,
};
const unnamed = {
	morning: m.reader_greeting_morning_unnamed,
	afternoon: m.reader_greeting_afternoon_unnamed,
	evening: m.reader_greeting_evening_unnamed,
};

/** `Good morning, Asha`: by first name where one is known. */
export function useGreeting(): string {
	const { name } = useMe();
	const time = greetingAt(new Date(), businessTimeZone());
	const first = name?.trim().split(/\s+/u)[0];
	return first ? named[time]({ name: first }) : unnamed[time]();
}
