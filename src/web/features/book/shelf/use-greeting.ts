import { m } from '#messages';
import { businessTimeZone } from '#web/platform/formats/format.ts';
import { useMe } from '#web/platform/session/session.ts';

const namedGreetings = {
	morning: m.dashboard_greeting_morning,
	afternoon: m.dashboard_greeting_afternoon,
	evening: m.dashboard_greeting_evening,
};
const unnamedGreetings = {
	morning: m.dashboard_greeting_morning_unnamed,
	afternoon: m.dashboard_greeting_afternoon_unnamed,
	evening: m.dashboard_greeting_evening_unnamed,
};

/** A greeting by time of day, with the user's first name if known: `Good morning, Asha`. */
export function useGreeting(): string {
	const { name } = useMe();
	const time = partOfDay(new Date(), businessTimeZone());
	const first = name?.trim().split(/\s+/u)[0];
	return first ? namedGreetings[time]({ name: first }) : unnamedGreetings[time]();
}

/** The part of the day in a time zone; the hours before 4:00 belong to the evening. */
export function partOfDay(now: Date, timeZone: string): 'morning' | 'afternoon' | 'evening' {
	const hour = Number(new Intl.DateTimeFormat('en-GB', { hour: 'numeric', hourCycle: 'h23', timeZone }).format(now));
	if (hour < 4 || hour >= 17) return 'evening';
	return hour < 12 ? 'morning' : 'afternoon';
}
