import { AppError } from '../../../platform/app-error.ts';
import {
	consumeRateLimit,
	hasRemainingAllowance,
	type RateLimit,
	rateLimits,
} from '../../../platform/auth/rate-limits/rate-limits.ts';
import { findKnownDevice } from '../../../platform/auth/sessions/known-devices.ts';
import { isoAt } from '../../../platform/clock.ts';
import type { Deps } from '../../../platform/deps.ts';
import { createKeyedLimiter } from '../../../platform/locking/concurrency-limiter.ts';
import { hasSignedInFrom } from '../users/users.queries.ts';

const accountLimiter = createKeyedLimiter(1);
const ipLimiter = createKeyedLimiter(10);
const knownIpSeconds = 90 * 24 * 3600;

/** Somebody tries a secret of an account. */
export interface SecretAttempt {
	emailKey: string;
	ip: string;
	/** The browser's cookie of known devices. */
	knownDevices: string | undefined;
}

/**
 * Lets a secret of an account be tried within the limits; only failures count, and a restart forgives none.
 * A browser in which this account has signed in before counts its failures for itself, and so does an address: whoever
 * guesses elsewhere uses up the account's common allowance and cannot keep the owner out. See decision 6.
 * Attempts at one account take turns, and only ten from one address run at once: many guesses at the same moment meet
 * the limit as one after the other would, and many right ones all succeed.
 * @returns what `check` found; null, and one failure more, when it found nothing
 * @throws AppError TOO_MANY_SIGN_INS
 */
export function tryWithinLimits<T>(
	deps: Deps,
	attempt: SecretAttempt,
	check: () => Promise<T | null>,
): Promise<T | null> {
	const { emailKey, ip } = attempt;
	return ipLimiter.run(ip, () =>
		accountLimiter.run(emailKey, async () => {
			const { own, isIpCounted: isAddressCounted } = await chooseAttemptLimits(deps, attempt);
			const isAllowed =
				(await hasRemainingAllowance(deps, ...own)) &&
				(!isAddressCounted || (await hasRemainingAllowance(deps, rateLimits.signInPerAddress, ip)));
			if (!isAllowed) {
				throw new AppError('TOO_MANY_SIGN_INS', { retryAfterSeconds: rateLimits.signInPerAccount.seconds });
			}
			const found = await check();
			if (found !== null) return found;
			await consumeRateLimit(deps, ...own);
			if (isAddressCounted) await consumeRateLimit(deps, rateLimits.signInPerAddress, ip);
			return null;
		}),
	);
}

/** Before an account's password or two-factor sign-in changes, once the right secret was given. @throws AppError TOO_MANY_ACCOUNT_CHANGES */
export async function consumeAccountChangeLimit(deps: Deps, emailKey: string): Promise<void> {
	const limit = rateLimits.changesPerAccount;
	if (!(await consumeRateLimit(deps, limit, emailKey)))
		throw new AppError('TOO_MANY_ACCOUNT_CHANGES', { retryAfterSeconds: limit.seconds });
}

interface AttemptLimits {
	own: [limit: RateLimit, subject: string];
	/** A known device is not held responsible for its neighbours behind the same address. */
	isIpCounted: boolean;
}

/** Asks the same of the database for a known and an unknown account. */
async function chooseAttemptLimits(deps: Deps, { emailKey, ip, knownDevices }: SecretAttempt): Promise<AttemptLimits> {
	const device = findKnownDevice(deps, knownDevices, emailKey);
	if (device !== null) return { own: [rateLimits.signInPerKnownDevice, `${emailKey} ${device}`], isIpCounted: false };
	const isKnownIp = await hasSignedInFrom(deps.db, emailKey, ip, isoAt(deps.clock, -knownIpSeconds));
	return {
		own: isKnownIp ? [rateLimits.signInPerKnownAddress, `${emailKey} ${ip}`] : [rateLimits.signInPerAccount, emailKey],
		isIpCounted: true,
	};
}
