import { m } from '#messages';
import { businessTimeZone } from '#web/platform/formats/format.ts';
import { useMe } from '#web/platform/session/session.ts';

const greetings = {
	morning: { named: m.dashboard_greeting_morning, unnamed: m.dashboard_greeting_morning_unnamed },
	afternoon: { named: m.dashboard_greeting_afternoon, unnamed: m.dashboard_greeting_afternoon_unnamed },
	evening: { named: m.dashboard_greeting_evening, unnamed: m.dashboard_greeting_evening_unnamed },
};

/** Returns, for example, `Good morning, Asha`. Omits an unknown name. */
export function useGreeting(): string {
	const first = useMe().name?.trim().split(/\s+/u)[0];
	const { named, unnamed } = greetings[partOfDay(new Date(), businessTimeZone())];
	return first ? named({ name: first }) : unnamed();
}

/** Times before 4:00 are evening. */
export function partOfDay(now: Date, timeZone: string): 'morning' | 'afternoon' | 'evening' {
	const hour = Number(new Intl.DateTimeFormat('en-GB', { hour: 'numeric', hourCycle: 'h23', timeZone }).format(now));
	if (hour < 4 || hour >= 17) return 'evening';
	return hour < 12 ? 'morning' : 'afternoon';
}
