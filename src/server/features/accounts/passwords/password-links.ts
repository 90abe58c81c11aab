import { limits } from '#contract/core/limits.ts';
import { emailPattern } from '#contract/core/text.ts';
import type { Caller } from '../../../platform/actor.ts';
import { AppError, required } from '../../../platform/app-error.ts';
import { hashPassword } from '../../../platform/auth/passwords/passwords.ts';
import { consumeRateLimit, rateLimits } from '../../../platform/auth/rate-limits/rate-limits.ts';
import { rememberDevice } from '../../../platform/auth/sessions/known-devices.ts';
import { isoAt } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { emailKeyOf, newId, newToken } from '../../../platform/ids.ts';
import { enqueueJob } from '../../../platform/jobs/jobs.ts';
import { recordAudit } from '../../audit/index.ts';
import { enqueueMail } from '../../mail/index.ts';
import * as queries from '../users/users.queries.ts';
import { assertStrongPassword, createUserFromImportedLogin, replacePassword } from '../users/users.service.ts';

const resetLinkSeconds = 3600;

/** Lifetime of a mailed first password and its link. It starts when the mail is sent. */
export const firstPasswordLinkSeconds = 7 * 24 * 3600;

export const passwordResetJob = 'password-reset';

/**
 * Requests a reset mail. Only a job is stored, which looks up the account later. So the response time does not reveal
 * whether the account exists.
 * @throws AppError TOO_MANY_RESETS
 */
export async function requestPasswordReset(deps: Deps, caller: Caller, email: string): Promise<void> {
	const emailKey = emailKeyOf(email);
	if (!emailPattern.test(email.trim()) || emailKey.length > limits.emailMaxLength) {
		throw new AppError('INVALID_INPUT', { fields: { email: 'error_email_format' } });
	}
	const isAllowed =
		// The limit of the IP address is consumed first. A caller who has exceeded it cannot use up the limits of accounts.
		(await consumeRateLimit(deps, rateLimits.resetPerIpAddress, caller.ip)) &&
		(await consumeRateLimit(deps, rateLimits.resetPerAccount, emailKey));
	if (!isAllowed) throw new AppError('TOO_MANY_RESETS', { retryAfterSeconds: rateLimits.resetPerAccount.seconds });
	await enqueueJob(deps, deps.db, passwordResetJob, { emailKey, locale: caller.locale });
	deps.wakeWorkers();
}

/** Job handler of {@link requestPasswordReset}: mails a link that is valid for one hour, if the account exists. */
export async function sendResetMail(deps: Deps, payload: unknown): Promise<void> {
	const { emailKey, locale } = payload as { emailKey: string; locale: 'en' | 'hi' };
	await inTransaction(deps.db, async (tx) => {
		await createUserFromImportedLogin(deps, tx, emailKey);
		const user = await queries.findUserByEmailKey(tx, emailKey);
		if (user === undefined) return;
		const link = await createPasswordLink(deps, tx, user.id, resetLinkSeconds);
		await enqueueMail(deps, tx, { kind: 'reset', to: user.email, locale, linkId: link.id, token: link.token });
	});
	deps.wakeWorkers();
}

/** Creates a link that sets a password once. {@link startPasswordLinkExpiry} starts the lifetime of the link. */
export async function createPasswordLink(deps: Deps, tx: Db, userId: string, lifetimeSeconds: number) {
	const token = newToken();
	const id = newId();
	await queries.insertPasswordLink(tx, {
		id,
		user_id: userId,
		token_hash: deps.secrets.hashToken(token),
		lifetime_seconds: lifetimeSeconds,
		created_at: isoAt(deps.clock),
	});
	return { id, token };
}

/**
 * Creates a link that sets a member's password once, for an admin who passes it on. An admin's account is refused, so
 * that no admin takes over the account of another.
 * @throws AppError NOT_FOUND, LOGIN_NOT_OPEN, FORBIDDEN
 */
export function createLoginLink(deps: Deps, caller: Caller, userId: string): Promise<{ url: string }> {
	return inTransaction(deps.db, async (tx) => {
		const { email, active, role } = required(await queries.findUserById(tx, userId), 'NOT_FOUND');
		if (role === 'admin') throw new AppError('FORBIDDEN', { messageKey: 'error_login_link_of_admin' });
		if (active === 0) throw new AppError('LOGIN_NOT_OPEN');
		const { id, token } = await createPasswordLink(deps, tx, userId, firstPasswordLinkSeconds);
		await startPasswordLinkExpiry(deps, tx, id);
		await recordAudit(deps, tx, caller, 'login-link-copied', ['user', userId], { email });
		return { url: `${deps.config.PUBLIC_URL}/set-password#token=${token}` };
	});
}

/** Starts the lifetime of a link, and of a first password in the same mail; called once the mail is sent. */
export async function startPasswordLinkExpiry(deps: Deps, tx: Db, linkId: string): Promise<void> {
	const link = await queries.findPasswordLinkLifetime(tx, linkId);
	if (link === undefined || !(await queries.lockUserIfExists(tx, link.userId))) return;
	const expiresAt = isoAt(deps.clock, link.lifetimeSeconds);
	await queries.setPasswordLinkExpiry(tx, linkId, expiresAt);
	await queries.setInitialPasswordExpiry(tx, link.userId, expiresAt);
}

/** Returns whether a mailed link can still be used, without using it up. */
export async function isPasswordLinkUsable(deps: Deps, token: string): Promise<boolean> {
	return (
		(await queries.findUsablePasswordLink(deps.db, deps.secrets.hashToken(token), isoAt(deps.clock))) !== undefined
	);
}

/**
 * Sets a password by a mailed link, which then becomes invalid. Ends all sessions of the user and invalidates all other
 * links. The browser becomes a known device, so that failed sign-ins of other devices do not lock it out.
 * @returns the cookie of known devices; null when this cookie does not change
 * @throws AppError LINK_INVALID, WEAK_PASSWORD (the link stays valid)
 */
export async function setPasswordByLink(
	deps: Deps,
	caller: Caller,
	input: { token: string; password: string; knownDevices?: string | undefined },
): Promise<string | null> {
	const tokenHash = deps.secrets.hashToken(input.token);
	const link = required(await queries.findUsablePasswordLink(deps.db, tokenHash, isoAt(deps.clock)), 'LINK_INVALID');
	assertStrongPassword(input.password);
	const passwordHash = await hashPassword(input.password);
	const emailKey = await inTransaction(deps.db, async (tx) => {
		const user = await queries.findUserByIdForUpdate(tx, link.userId);
		if (user === undefined || !(await queries.consumePasswordLink(tx, link.id, isoAt(deps.clock))))
			throw new AppError('LINK_INVALID');
		await replacePassword(deps, tx, caller, { action: 'password-set', userId: link.userId, passwordHash });
		await queries.deleteImportedLogin(tx, user.emailKey);
		return user.emailKey;
	});
	deps.bus.publish({ kind: 'ended', ended: { userId: link.userId, reason: 'password' } });
	return rememberDevice(deps, input.knownDevices, emailKey);
}
