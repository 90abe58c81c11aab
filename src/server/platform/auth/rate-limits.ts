import type { Db } from '../../db/schema.ts';
import { lineOf } from '../addresses.ts';
import { isoAt } from '../clock.ts';
import type { Deps } from '../deps.ts';
import { addToWindow, countInWindow, deleteWindows } from './rate-limits.queries.ts';

/** How many of a thing may happen in a window. Kept in the database, so a restart forgives nothing. */
export interface RateLimit {
	name: string;
	count: number;
	seconds: number;
}

/** Source: the security page, limits; each scaled by RATE_LIMIT_FACTOR. */
export const rateLimits = {
	signInPerAccount: { name: 'sign-in-account', count: 10, seconds: 15 * 60 },
	signInPerKnownDevice: { name: 'sign-in-device', count: 10, seconds: 15 * 60 },
	signInPerKnownAddress: { name: 'sign-in-known-address', count: 10, seconds: 15 * 60 },
	signInPerAddress: { name: 'sign-in-address', count: 50, seconds: 15 * 60 },
	resetPerAccount: { name: 'reset-account', count: 5, seconds: 3600 },
	resetPerAddress: { name: 'reset-address', count: 30, seconds: 3600 },
	lookupPerAddress: { name: 'lookup-address', count: 10, seconds: 60 },
	purchasePerAddress: { name: 'purchase-address', count: 30, seconds: 3600 },
	/** Mails from one address to one account that an order was attached: nobody fills a stranger's inbox with them. */
	orderMailPerAccount: { name: 'order-mail-account', count: 10, seconds: 3600 },
} satisfies Record<string, RateLimit>;

/** Takes one from the allowance of `subject`. @returns false when there is none left. */
export async function takeAllowance(deps: Deps, limit: RateLimit, subject: string): Promise<boolean> {
	const used = await addToWindow(
		deps.db,
		keyOf(deps, limit, subject),
		isoAt(deps.clock),
		isoAt(deps.clock, limit.seconds),
	);
	return used <= allowanceOf(deps, limit);
}

/** Whether there is something left, without taking it. */
export async function hasAllowance(deps: Deps, limit: RateLimit, subject: string): Promise<boolean> {
	const used = await countInWindow(deps.db, keyOf(deps, limit, subject), isoAt(deps.clock));
	return used < allowanceOf(deps, limit);
}

/** Forgets whatever was counted for a subject. */
export async function forgetAllowances(deps: Deps, tx: Db, subject: string): Promise<void> {
	const keys = Object.values(rateLimits).map((limit) => keyOf(deps, limit, subject));
	await deleteWindows(tx, keys);
}

function allowanceOf(deps: Deps, limit: RateLimit): number {
	return Math.max(1, Math.floor(limit.count * deps.config.RATE_LIMIT_FACTOR));
}

function keyOf(deps: Deps, limit: RateLimit, subject: string): string {
	return `${limit.name}:${deps.secrets.fingerprint(lineOf(subject))}`;
}
