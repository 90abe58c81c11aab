import type { Deps } from '#server/platform/deps.ts';

/** The latest time on the sample receipts (`demo/pictures/receipt-*`) and of their orders. */
const newest = Date.parse('2026-11-20T09:30:00+05:30');
const firstMinute = Date.parse('2026-11-20T00:00:00+05:30');
const dayMs = 86_400_000;

/**
 * Returns the services with a clock that always shows an Indian time of day, some days ago. Day 0 is today, or yesterday
 * before 9:30.
 */
export type DepsAt = (daysAgo: number, time: string) => Deps;

/** Moves the sample's days so that the newest of them is within the last 24 hours. */
export function createDepsAt(deps: Deps): DepsAt {
	const shiftMs = Math.floor((deps.clock.now().getTime() - newest) / dayMs) * dayMs;
	return (daysAgo, time) => {
		const [hours = 0, minutes = 0] = time.split(':').map(Number);
		const moment = new Date(firstMinute + shiftMs - daysAgo * dayMs + (hours * 60 + minutes) * 60_000);
		return { ...deps, clock: { now: () => moment } };
	};
}
