import { limits } from '#contract/core/limits.ts';
import { type Caller, getSessionOwner } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/app-error.ts';
import { hashPassword, verifyPassword } from '../../../platform/auth/passwords/passwords.ts';
import { rememberDevice } from '../../../platform/auth/sessions/known-devices.ts';
import { setSessionsEnded } from '../../../platform/auth/sessions/sessions.queries.ts';
import { createSession, publishSessionsChanged, resolveSession } from '../../../platform/auth/sessions/sessions.ts';
import { isoAt } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { afterCommit, inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { emailKeyOf, newId } from '../../../platform/ids.ts';
import { recordAudit } from '../../audit/index.ts';
import { tryWithinLimits } from '../passwords/attempt-limits.ts';
import { consumeCode, createWrongCodeError, findValidCode, type ValidCode } from '../two-factor/code-verification.ts';
import { type ImportedLogin, verifyImportedLogin } from '../users/imported-logins.ts';
import * as queries from '../users/users.queries.ts';
import { createUser, presentMe, stopImpersonation } from '../users/users.service.ts';

interface SignInInput {
	email: string;
	password: string;
	/** A code of the authenticator app or a recovery code; required only with two-factor sign-in. */
	code?: string | undefined;
	knownDevices?: string | undefined;
}

/**
 * Signs a user in by password and, if required, code. Increments `loginCount` and adds a login history entry.
 * @returns the user, and the values of both cookies; `knownDevices` is null when this cookie does not change
 * @throws AppError LOGIN_FAILED (unknown address, wrong or expired password), TOO_MANY_SIGN_INS; only after the right
 * password ACCOUNT_DEACTIVATED, TWO_FACTOR_CODE_WANTED, TWO_FACTOR_CODE_WRONG
 */
export async function signIn(deps: Deps, caller: Caller, input: SignInInput) {
	const verified = await verifySignIn(deps, caller, input);
	const token = await openVerifiedSession(deps, caller, verified);
	publishSessionsChanged(deps, verified.user.id);
	const session = await resolveSession(deps, token);
	if (session.state !== 'live') throw new AppError('LOGIN_FAILED');
	const knownDevices = rememberDevice(deps, input.knownDevices, verified.user.email_key);
	return { me: presentMe(session.actor), token, knownDevices };
}

interface VerifiedSignIn {
	user: queries.UserRow;
	code: ValidCode | null;
}

/** Checks the password and the code. A wrong one is counted as a failed sign-in. @throws AppError as {@link signIn} */
async function verifySignIn(deps: Deps, caller: Caller, input: SignInInput): Promise<VerifiedSignIn> {
	const emailKey = emailKeyOf(input.email);
	const attempt = { emailKey, ip: caller.ip, knownDevices: input.knownDevices };
	let isRightPassword = false;
	const verified = await tryWithinLimits(deps, attempt, async () => {
		const user = await queries.findUserByEmailKey(deps.db, emailKey);
		const isRight = await verifyPassword(user?.password_hash ?? null, input.password);
		const expiresAt = user?.initial_password_expires_at ?? null;
		if (user !== undefined && isRight && (expiresAt === null || expiresAt > isoAt(deps.clock))) {
			isRightPassword = true;
			return verifySecondFactor(deps, user, input.code);
		}
		const imported = await verifyImportedLogin(deps, emailKey, input.password);
		if (imported === null) return null;
		const converted = await convertImportedLogin(deps, caller, imported, input.password);
		return converted && { user: converted, code: null };
	});
	if (verified === null) throw isRightPassword ? createWrongCodeError() : new AppError('LOGIN_FAILED');
	return verified;
}

/** Checks the code, except for a deactivated user, who is refused anyway. @throws AppError TWO_FACTOR_CODE_WANTED */
async function verifySecondFactor(deps: Deps, user: queries.UserRow, typedCode: string | undefined) {
	if (user.totp_confirmed_at === null || user.active === 0) return { user, code: null };
	if (typedCode === undefined || typedCode.trim() === '') throw new AppError('TWO_FACTOR_CODE_WANTED');
	const enrollment = { id: user.id, secretSealed: user.totp_secret_sealed, lastStep: user.totp_last_step };
	const code = await findValidCode(deps, enrollment, typedCode);
	return code === null ? null : { user, code };
}

/** @returns the session's token */
function openVerifiedSession(deps: Deps, caller: Caller, { user, code }: VerifiedSignIn): Promise<string> {
	return inTransaction(deps.db, async (tx) => {
		const now = isoAt(deps.clock);
		// A concurrent request may have changed the password, deactivated the account, or changed two-factor sign-in.
		const current = await queries.findUserByEmailKeyForUpdate(tx, user.email_key);
		if (current?.id !== user.id || current.password_hash !== user.password_hash) throw new AppError('LOGIN_FAILED');
		if (current.active === 0) throw new AppError('ACCOUNT_DEACTIVATED');
		if (current.totp_confirmed_at !== user.totp_confirmed_at) throw new AppError('LOGIN_FAILED');
		if (code !== null) await consumeCode(deps, tx, caller, user.id, code);
		const loginCount = await queries.incrementLoginCount(tx, user.id, now);
		await queries.insertLoginHistory(tx, {
			id: newId(),
			user_id: user.id,
			login_count: loginCount,
			at: now,
			ip: caller.ip,
			browser_info: caller.userAgent,
		});
		await queries.deleteLoginHistoryThrough(tx, user.id, loginCount - limits.signInsPerUserMax);
		afterCommit(() => deps.bus.publish({ kind: 'event', audience: { to: 'admins' }, event: { topic: 'logins' } }));
		return (await createSession(deps, tx, user.id, caller)).token;
	});
}

/**
 * Converts an imported login at its first successful sign-in. Creates the user unless a reset or purchase has done so,
 * stores our own hash of the password, and deletes the imported login.
 * @returns null when a concurrent request has deleted the imported login or set another password
 */
async function convertImportedLogin(deps: Deps, caller: Caller, login: ImportedLogin, password: string) {
	const passwordHash = await hashPassword(password);
	return inTransaction(deps.db, async (tx) => {
		const id = await setImportedPassword(deps, tx, login, passwordHash);
		if (id === null) return null;
		await recordAudit(deps, tx, caller, 'login-taken-over', ['user', id], { email: login.email });
		afterCommit(() => deps.bus.publish({ kind: 'event', audience: { to: 'admins' }, event: { topic: 'users' } }));
		return (await queries.findUserById(tx, id)) ?? null;
	});
}

/** @returns the user's id; null if the imported login was deleted, or the user already has another password */
async function setImportedPassword(
	deps: Deps,
	tx: Db,
	login: ImportedLogin,
	passwordHash: string,
): Promise<string | null> {
	const { emailKey, email, name } = login;
	// Locked before the imported login, as in all transactions.
	const profile = await queries.findUserByEmailKeyForUpdate(tx, emailKey);
	if ((await queries.findImportedLogin(tx, emailKey)) === undefined) return null;
	if (profile === undefined) {
		const id = await createUser(deps, tx, { email, name, role: 'user', passwordHash });
		// Null if a concurrent request has created the user since the query above.
		return id ?? setImportedPassword(deps, tx, login, passwordHash);
	}
	await queries.deleteImportedLogin(tx, emailKey);
	if (profile.password_hash !== null) return null;
	await queries.updatePassword(tx, profile.id, passwordHash);
	return profile.id;
}

export async function signOut(deps: Deps, caller: Caller): Promise<void> {
	const { actor } = caller;
	if (actor === null) return;
	const { userId } = getSessionOwner(actor);
	await inTransaction(deps.db, async (tx) => {
		if (actor.impersonatedBy !== null) await stopImpersonation(deps, tx, caller, actor);
		await setSessionsEnded(tx, { userId, sessionId: actor.sessionId }, 'logout', isoAt(deps.clock));
	});
	deps.bus.publish({ kind: 'ended', ended: { userId, sessionIds: [actor.sessionId], reason: 'logout' } });
	publishSessionsChanged(deps, userId);
}
