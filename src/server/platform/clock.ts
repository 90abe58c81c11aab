/** Source of the current time; tests replace it. */
export interface Clock {
	now(): Date;
}

/** Difference between the clocks of several servers at which their times are still valid for each other. */
export const clockToleranceSeconds = 60;

export const systemClock: Clock = { now: () => new Date() };

/** Returns the clock's time plus some seconds in the format of stored timestamps. */
export function isoAt(clock: Clock, plusSeconds = 0): string {
	return new Date(clock.now().getTime() + plusSeconds * 1000).toISOString();
}
