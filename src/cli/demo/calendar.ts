import type { Clock } from '#server/platform/clock.ts';
import type { Deps } from '#server/platform/deps.ts';

/** The latest time on the sample receipts (`demo/pictures/receipt-*`) and of their orders. */
const newest = Date.parse('2026-11-20T09:30:00+05:30');
const firstMinute = Date.parse('2026-11-20T00:00:00+05:30');
const dayMs = 86_400_000;

/** Converts a number of days ago and an Indian time of day into a date. Day 0 is today, or yesterday before 9:30. */
export type Calendar = (daysAgo: number, time: string) => Date;

/** Moves the sample's days so that the newest of them is within the 24 hours before `now`. */
export function createCalendar(now: Date): Calendar {
	const shiftMs = Math.floor((now.getTime() - newest) / dayMs) * dayMs;
	return (daysAgo, time) => {
		const [hours = 0, minutes = 0] = time.split(':').map(Number);
		return new Date(firstMinute + shiftMs - daysAgo * dayMs + (hours * 60 + minutes) * 60_000);
	};
}

/** Returns the same services with a clock that always shows this moment. */
export function depsAt(deps: Deps, moment: Date): Deps {
	const clock: Clock = { now: () => moment };
	return { ...deps, clock };
}
