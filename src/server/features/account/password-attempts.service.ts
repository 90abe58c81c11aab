import { AppError } from '../../platform/app-error.ts';
import { findKnownDevice } from '../../platform/auth/known-devices.ts';
import { hasAllowance, type RateLimit, rateLimits, takeAllowance } from '../../platform/auth/rate-limits.ts';
import { createTurns } from '../../platform/auth/turns.ts';
import { isoAt } from '../../platform/clock.ts';
import type { Deps } from '../../platform/deps.ts';
import { hasSignedInFrom } from './account.queries.ts';

const accountTurns = createTurns(1);
const addressTurns = createTurns(10);
const knownAddressSeconds = 90 * 24 * 3600;

/** Somebody tries a secret of an account. */
export interface Attempt {
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
export function tryWithinLimits<T>(deps: Deps, attempt: Attempt, check: () => Promise<T | null>): Promise<T | null> {
	const { emailKey, ip } = attempt;
	return addressTurns.run(ip, () =>
		accountTurns.run(emailKey, async () => {
			const { own, isAddressCounted } = await chooseAllowance(deps, attempt);
			const isAllowed =
				(await hasAllowance(deps, ...own)) &&
				(!isAddressCounted || (await hasAllowance(deps, rateLimits.signInPerAddress, ip)));
			if (!isAllowed) {
				throw new AppError('TOO_MANY_SIGN_INS', { retryAfterSeconds: rateLimits.signInPerAccount.seconds });
			}
			const found = await check();
			if (found !== null) return found;
			await takeAllowance(deps, ...own);
			if (isAddressCounted) await takeAllowance(deps, rateLimits.signInPerAddress, ip);
			return null;
		}),
	);
}

/** Before an account's password or two-factor sign-in changes, once the right secret was given. @throws AppError TOO_MANY_ACCOUNT_CHANGES */
export async function takeChangeAllowance(deps: Deps, emailKey: string): Promise<void> {
	const limit = rateLimits.changesPerAccount;
	if (!(await takeAllowance(deps, limit, emailKey)))
		throw new AppError('TOO_MANY_ACCOUNT_CHANGES', { retryAfterSeconds: limit.seconds });
}

interface Allowance {
	own: [limit: RateLimit, subject: string];
	/** A known device is not held responsible for its neighbours behind the same address. */
	isAddressCounted: boolean;
}

/** Asks the same of the database for a known and an unknown account. */
async function chooseAllowance(deps: Deps, { emailKey, ip, knownDevices }: Attempt): Promise<Allowance> {
	const device = findKnownDevice(deps, knownDevices, emailKey);
	if (device !== null)
		return { own: [rateLimits.signInPerKnownDevice, `${emailKey} ${device}`], isAddressCounted: false };
	const isKnownAddress = await hasSignedInFrom(deps.db, emailKey, ip, isoAt(deps.clock, -knownAddressSeconds));
	return {
		own: isKnownAddress
			? [rateLimits.signInPerKnownAddress, `${emailKey} ${ip}`]
			: [rateLimits.signInPerAccount, emailKey],
		isAddressCounted: true,
	};
}
