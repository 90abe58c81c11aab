/** Where the time comes from; tests put their own hands on it. */
export interface Clock {
	now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** The clock's moment, plus seconds, as the database keeps it. */
export function isoAt(clock: Clock, plusSeconds = 0): string {
	return new Date(clock.now().getTime() + plusSeconds * 1000).toISOString();
}
