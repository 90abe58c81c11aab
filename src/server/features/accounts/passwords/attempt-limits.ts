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

interface SecretAttempt {
	emailKey: string;
	ip: string;
	knownDevices: string | undefined;
}

/**
 * Checks a secret of an account within the rate limits for failures. A browser or IP address from which the account has
 * signed in has its own limit, so that guesses from other places cannot lock the owner out (decision 6). In one
 * process, attempts at one account run one after another, and at most ten attempts from one IP address run at once, so
 * that concurrent guesses hardly exceed the limits.
 * @returns the result of `check`; if the result is null, one failure is counted
 * @throws AppError TOO_MANY_SIGN_INS
 */
export function tryWithinLimits<T>(deps: Deps, attempt: SecretAttempt, check: () => Promise<T | null>) {
	const { emailKey, ip } = attempt;
	return ipLimiter.run(ip, () =>
		accountLimiter.run(emailKey, async () => {
			const attemptLimits = await chooseAttemptLimits(deps, attempt);
			for (const [limit, subject] of attemptLimits)
				if (!(await hasRemainingAllowance(deps, limit, subject)))
					throw new AppError('TOO_MANY_SIGN_INS', { retryAfterSeconds: limit.seconds });
			const result = await check();
			if (result !== null) return result;
			for (const [limit, subject] of attemptLimits) await consumeRateLimit(deps, limit, subject);
			return null;
		}),
	);
}

/** Counts a change of the password or of two-factor sign-in. @throws AppError TOO_MANY_ACCOUNT_CHANGES */
export async function consumeAccountChangeLimit(deps: Deps, emailKey: string): Promise<void> {
	const limit = rateLimits.changesPerAccount;
	if (!(await consumeRateLimit(deps, limit, emailKey)))
		throw new AppError('TOO_MANY_ACCOUNT_CHANGES', { retryAfterSeconds: limit.seconds });
}

/**
 * Returns the rate limits of an attempt with their subjects. The database queries are the same for known and unknown
 * accounts, so that the time does not reveal which accounts exist. A known device is not blocked by failures of other
 * devices behind its IP address.
 */
async function chooseAttemptLimits(
	deps: Deps,
	{ emailKey, ip, knownDevices }: SecretAttempt,
): Promise<Array<[RateLimit, string]>> {
	const device = findKnownDevice(deps, knownDevices, emailKey);
	if (device !== null) return [[rateLimits.signInPerKnownDevice, `${emailKey} ${device}`]];
	const isKnownIp = await hasSignedInFrom(deps.db, emailKey, ip, isoAt(deps.clock, -knownIpSeconds));
	return [
		isKnownIp ? [rateLimits.signInPerKnownIpAddress, `${emailKey} ${ip}`] : [rateLimits.signInPerAccount, emailKey],
		[rateLimits.signInPerIpAddress, ip],
	];
}
