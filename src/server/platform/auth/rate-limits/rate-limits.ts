import { clockToleranceSeconds, isoAt } from '../../clock.ts';
import type { Db } from '../../database/schema.ts';
import type { Deps } from '../../deps.ts';
import { subscriberPrefixOf } from '../../http/ip-addresses.ts';
import { countInWindow, deleteWindows, incrementWindow, incrementWindows } from './rate-limits.queries.ts';

/** Number of events allowed in a time window. They are counted in the database, so a restart does not reset them. */
export interface RateLimit {
	/** Stored with the counted events, so that a changed name would reset them. */
	name: string;
	count: number;
	seconds: number;
}

/** The rate limits. Each is multiplied by RATE_LIMIT_FACTOR. */
export const rateLimits = {
	signInPerAccount: { name: 'sign-in-account', count: 10, seconds: 15 * 60 },
	signInPerKnownDevice: { name: 'sign-in-device', count: 10, seconds: 15 * 60 },
	signInPerKnownIpAddress: { name: 'sign-in-known-address', count: 10, seconds: 15 * 60 },
	signInPerIpAddress: { name: 'sign-in-address', count: 50, seconds: 15 * 60 },
	resetPerAccount: { name: 'reset-account', count: 5, seconds: 3600 },
	resetPerIpAddress: { name: 'reset-address', count: 30, seconds: 3600 },
	lookupPerIpAddress: { name: 'lookup-address', count: 10, seconds: 60 },
	/** Limits the stored rows, because each lookup is kept for half a year. */
	lookupPerIpAddressAndDay: { name: 'lookup-address-day', count: 500, seconds: 24 * 3600 },
	checkoutPerIpAddress: { name: 'purchase-address', count: 30, seconds: 3600 },
	/** Mails about orders that one IP address can cause for one email, so that they do not flood its mailbox. */
	orderMailPerEmailAndIpAddress: { name: 'order-mail-account', count: 10, seconds: 3600 },
	/** Login mails that admins send again to one account. Mails that the user requests have another limit. */
	loginMailPerAccount: { name: 'login-mail-account', count: 10, seconds: 3600 },
	/** Stored payment screenshots in KiB: enough for the largest screenshots in 30 purchases an hour for three hours. */
	proofKilobytesPerIpAddress: { name: 'proof-kilobytes-address', count: 100 * 1024, seconds: 24 * 3600 },
	/** Stored payment screenshots in KiB for one entered email, with or without an account. */
	proofKilobytesPerEmail: { name: 'proof-kilobytes-email', count: 10 * 1024, seconds: 24 * 3600 },
	/** About five small screenshots that an IP address may send for an email after the email's limit is used up. */
	proofKilobytesPerEmailAndIpAddress: { name: 'proof-kilobytes-email-address', count: 200, seconds: 24 * 3600 },
	/** High, because thousands of visitors can share one IP address of a mobile carrier. */
	visitsPerIpAddress: { name: 'visits-address', count: 20_000, seconds: 24 * 3600 },
	visitsTotal: { name: 'visits', count: 200_000, seconds: 24 * 3600 },
	/** Changes of the password and of two-factor sign-in. Each adds an audit entry, and most send a mail. */
	changesPerAccount: { name: 'account-changes', count: 30, seconds: 24 * 3600 },
	/** Audit entries about sessions that a user ended. Further sessions are ended without an entry. */
	sessionEndsPerAccount: { name: 'session-ends', count: 100, seconds: 24 * 3600 },
} satisfies Record<string, RateLimit>;

/** Subtracts `amount` from the allowance of `subject`. @returns false, without subtracting, when less is left */
export function consumeRateLimit(deps: Deps, limit: RateLimit, subject: string, amount = 1): Promise<boolean> {
	return incrementWindow(deps.db, keyOf(deps, limit, subject), {
		amount,
		most: allowanceOf(deps, limit),
		...newWindow(deps, limit),
	});
}

/** Subtracts one from each subject's allowance. @returns for each subject whether it had at least one left */
export async function consumeRateLimits(deps: Deps, tx: Db, limit: RateLimit, subjects: string[]): Promise<boolean[]> {
	const keys = subjects.map((subject) => keyOf(deps, limit, subject));
	const amounts = new Map<string, number>();
	for (const key of keys) amounts.set(key, (amounts.get(key) ?? 0) + 1);
	const used = await incrementWindows(tx, amounts, newWindow(deps, limit));
	const remainingByKey = new Map(
		[...amounts].map(([key, count]) => [key, allowanceOf(deps, limit) - (used.get(key) ?? 0) + count]),
	);
	return keys.map((key) => {
		const remaining = remainingByKey.get(key) ?? 0;
		remainingByKey.set(key, remaining - 1);
		return remaining > 0;
	});
}

/** Returns the rest of the allowance without consuming it. */
export async function getRemainingAllowance(deps: Deps, limit: RateLimit, subject: string): Promise<number> {
	const used = await countInWindow(deps.db, keyOf(deps, limit, subject), newWindow(deps, limit));
	return Math.max(0, allowanceOf(deps, limit) - used);
}

export async function hasRemainingAllowance(deps: Deps, limit: RateLimit, subject: string): Promise<boolean> {
	return (await getRemainingAllowance(deps, limit, subject)) > 0;
}

export async function resetRateLimits(deps: Deps, tx: Db, subject: string): Promise<void> {
	const keys = Object.values(rateLimits).map((limit) => keyOf(deps, limit, subject));
	await deleteWindows(tx, keys);
}

function newWindow({ clock }: Deps, { seconds }: RateLimit) {
	return {
		now: isoAt(clock),
		resetsAt: isoAt(clock, seconds),
		latestEnd: isoAt(clock, seconds + clockToleranceSeconds),
	};
}

/** Maximum of an allowance, so that the database can add a count and an amount as 32-bit integers. */
const largestAllowance = 2 ** 30 - 1;

function allowanceOf(deps: Deps, limit: RateLimit): number {
	return Math.min(largestAllowance, scaledLimit(deps, limit.count));
}

export function scaledLimit(deps: Deps, count: number): number {
	return Math.max(1, Math.floor(count * deps.config.RATE_LIMIT_FACTOR));
}

function keyOf(deps: Deps, limit: RateLimit, subject: string): string {
	return `${limit.name}:${deps.secrets.fingerprint(subscriberPrefixOf(subject))}`;
}
