import { type Caller, requireActor } from '../../../platform/actor.ts';
import { AppError, required } from '../../../platform/app-error.ts';
import { hashPassword, verifyPassword } from '../../../platform/auth/passwords/passwords.ts';
import { findLiveSession } from '../../../platform/auth/sessions/sessions.queries.ts';
import {
	publishSessionsChanged,
	publishSessionsEnded,
	rotateSessionToken,
} from '../../../platform/auth/sessions/sessions.ts';
import { isoAt } from '../../../platform/clock.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { recordAudit } from '../../audit/index.ts';
import * as queries from '../users/users.queries.ts';
import { assertEmail, assertStrongPassword, emailColumns, hasLogin, replacePassword } from '../users/users.service.ts';
import { consumeAccountChangeLimit, tryWithinLimits } from './attempt-limits.ts';

interface CurrentPassword {
	currentPassword: string;
	knownDevices: string | undefined;
}

/** @throws AppError CURRENT_PASSWORD_WRONG, TOO_MANY_SIGN_INS, TOO_MANY_ACCOUNT_CHANGES */
async function checkCurrentPassword(deps: Deps, caller: Caller, input: CurrentPassword): Promise<queries.UserRow> {
	const { userId, sessionId } = requireActor(caller);
	const user = required(await queries.findUserById(deps.db, userId), 'UNAUTHORIZED');
	const attempt = { emailKey: user.email_key, ip: caller.ip, knownDevices: input.knownDevices };
	const check = async () => (await verifyPassword(user.password_hash, input.currentPassword)) || null;
	const isRight = await tryWithinLimits(deps, attempt, check);
	if (isRight === null) {
		// Another device may have changed the password and so have ended this session.
		required(await findLiveSession(deps.db, { userId, now: isoAt(deps.clock), id: sessionId }), 'UNAUTHORIZED');
		throw new AppError('CURRENT_PASSWORD_WRONG', { fields: { currentPassword: 'error_current_password_wrong' } });
	}
	await consumeAccountChangeLimit(deps, user.email_key);
	return user;
}

/**
 * Changes the password. All other sessions end, mailed links become invalid, and this session gets a new token. Call
 * `onResponseSent` after the response with the new cookie was sent: it closes connections that use the old token, and
 * makes the open lists of the user's sessions refetch.
 * @throws AppError CURRENT_PASSWORD_WRONG (counted as a failed sign-in), WEAK_PASSWORD, TOO_MANY_SIGN_INS,
 * TOO_MANY_ACCOUNT_CHANGES
 */
export async function changePassword(
	deps: Deps,
	caller: Caller,
	input: CurrentPassword & { password: string },
): Promise<{ token: string; onResponseSent: () => void }> {
	const { userId, sessionId } = requireActor(caller);
	assertStrongPassword(input.password);
	const user = await checkCurrentPassword(deps, caller, input);
	const passwordHash = await hashPassword(input.password);
	const result = await inTransaction(deps.db, async (tx) => {
		// The password was checked before the transaction; another device may have changed it meanwhile.
		const current = await queries.findUserByEmailKeyForUpdate(tx, user.email_key);
		const token = await rotateSessionToken(deps, tx, sessionId);
		if (current?.password_hash !== user.password_hash || token === null) throw new AppError('UNAUTHORIZED');
		const change = { action: 'password-changed', userId, passwordHash, exceptId: sessionId } as const;
		return { token, endedIds: await replacePassword(deps, tx, caller, change) };
	});
	publishSessionsEnded(deps, userId, result.endedIds, 'password');
	return {
		token: result.token,
		onResponseSent: () => {
			publishSessionsEnded(deps, userId, [sessionId], 'renewed');
			// If this event were sent earlier, the browser would refetch with its old cookie and be signed out.
			publishSessionsChanged(deps, userId);
			// Removes the first-password reminder from every page of this browser.
			deps.bus.publish({ kind: 'event', audience: { to: 'user', userId }, event: { topic: 'users' } });
		},
	};
}

/**
 * Changes the address of the signed-in admin. Links that were mailed to the old address become invalid.
 * @throws AppError EMAIL_INVALID, EMAIL_IN_USE, CURRENT_PASSWORD_WRONG (counted as a failed sign-in),
 * TOO_MANY_SIGN_INS, TOO_MANY_ACCOUNT_CHANGES
 */
export async function changeEmail(deps: Deps, caller: Caller, input: CurrentPassword & { email: string }) {
	assertEmail(input.email.trim());
	const user = await checkCurrentPassword(deps, caller, input);
	const columns = emailColumns(input.email, user.name);
	await inTransaction(deps.db, async (tx) => {
		// The password was checked before the transaction; another device may have changed it meanwhile.
		const current = await queries.findUserByEmailKeyForUpdate(tx, user.email_key);
		if (current?.password_hash !== user.password_hash) throw new AppError('UNAUTHORIZED');
		if (columns.email_key !== user.email_key && (await hasLogin(tx, columns.email)))
			throw new AppError('EMAIL_IN_USE', { fields: { email: 'error_email_in_use' } });
		await queries.updateUser(tx, user.id, columns);
		await queries.revokePasswordLinks(tx, user.id, isoAt(deps.clock));
		const detail = { from: user.email, to: columns.email };
		await recordAudit(deps, tx, caller, 'email-changed', ['user', user.id], detail);
	});
	for (const audience of [{ to: 'admins' }, { to: 'user', userId: user.id }] as const)
		deps.bus.publish({ kind: 'event', audience, event: { topic: 'users' } });
}
