import { isoAt } from '../clock.ts';
import type { Deps } from '../deps.ts';
import { addToWindow } from './rate-limits.queries.ts';

/** How many of a thing may happen in a window. Kept in the database, so a restart forgives nothing. */
export interface RateLimit {
	name: string;
	count: number;
	seconds: number;
}

/** Source: the security page, limits; each scaled by RATE_LIMIT_FACTOR. */
export const rateLimits = {
	signInPerAccount: { name: 'sign-in-account', count: 10, seconds: 15 * 60 },
	signInPerAddress: { name: 'sign-in-address', count: 50, seconds: 15 * 60 },
	resetPerAccount: { name: 'reset-account', count: 5, seconds: 3600 },
	resetPerAddress: { name: 'reset-address', count: 30, seconds: 3600 },
	purchasePerAddress: { name: 'purchase-address', count: 30, seconds: 3600 },
} satisfies Record<string, RateLimit>;

/** Takes one from the allowance of `subject`. @returns false when there is none left. */
export async function takeAllowance(deps: Deps, limit: RateLimit, subject: string): Promise<boolean> {
	const used = await addToWindow(
		deps.db,
		keyOf(deps, limit, subject),
		1,
		isoAt(deps.clock),
		isoAt(deps.clock, limit.seconds),
	);
	return used <= Math.max(1, Math.floor(limit.count * deps.config.RATE_LIMIT_FACTOR));
}

/** Gives one back: what succeeded does not count. */
export async function returnAllowance(deps: Deps, limit: RateLimit, subject: string): Promise<void> {
	await addToWindow(deps.db, keyOf(deps, limit, subject), -1, isoAt(deps.clock), isoAt(deps.clock, limit.seconds));
}

function keyOf(deps: Deps, limit: RateLimit, subject: string): string {
	return `${limit.name}:${deps.secrets.fingerprint(subject)}`;
}
