import type { Me } from '#contract/account/account.ts';
import { limits } from '#contract/core/limits.ts';
import type { Db } from '../../db/schema.ts';
import { afterCommit, inTransaction } from '../../db/transaction.ts';
import { type Caller, sessionOwnerOf } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { rememberDevice } from '../../platform/auth/known-devices.ts';
import { hashPassword, verifyPassword } from '../../platform/auth/passwords.ts';
import { markSessionsEnded, setView } from '../../platform/auth/sessions.queries.ts';
import { openSession, publishSessions, resolveSession } from '../../platform/auth/sessions.ts';
import { isoAt } from '../../platform/clock.ts';
import type { Deps } from '../../platform/deps.ts';
import { newId } from '../../platform/ids.ts';
import { recordAudit } from '../audit/audit.service.ts';
import { consumeCode, findRightCode, type RightCode, wrongCode } from '../two-factor/two-factor.sign-in.service.ts';
import * as queries from './account.queries.ts';
import { createUser, emailKeyOf, presentMe, recordViewEnd } from './account.service.ts';
import { checkImportedLogin, deleteImportedLogin, type ImportedLogin } from './imported-logins.ts';
import { tryWithinLimits } from './password-attempts.service.ts';

interface SignInInput {
	email: string;
	password: string;
	/** Of the app, or a recovery code; only whoever has two-factor sign-in on is asked for it. */
	code?: string | undefined;
	knownDevices?: string | undefined;
}

/**
 * Checks a password, and a code where one is wanted, and opens a session: one more in loginCount, one entry in the history.
 * @returns the tokens for both cookies, `knownDevices` null when that one stays as it is
 * @throws AppError LOGIN_FAILED (unknown address, wrong or outlived password alike), TOO_MANY_SIGN_INS, and after the
 * right password only: ACCOUNT_DEACTIVATED, TWO_FACTOR_CODE_WANTED, TWO_FACTOR_CODE_WRONG
 */
export async function signIn(
	deps: Deps,
	caller: Caller,
	input: SignInInput,
): Promise<{ me: Me; token: string; knownDevices: string | null }> {
	const checked = await checkSignIn(deps, caller, input);
	const token = await openCheckedSession(deps, caller, checked);
	publishSessions(deps, checked.user.id);
	const session = await resolveSession(deps, token);
	if (session.state !== 'live') throw new AppError('LOGIN_FAILED');
	const knownDevices = rememberDevice(deps, input.knownDevices, checked.user.email_key);
	return { me: presentMe(session.actor), token, knownDevices };
}

interface Checked {
	user: queries.UserRow;
	code: RightCode | null;
}

/** A wrong code counts as a wrong password does. @throws AppError as {@link signIn} */
async function checkSignIn(deps: Deps, caller: Caller, input: SignInInput): Promise<Checked> {
	const emailKey = emailKeyOf(input.email);
	const attempt = { emailKey, ip: caller.ip, knownDevices: input.knownDevices };
	let isRightPassword = false;
	const found = await tryWithinLimits(deps, attempt, async () => {
		const user = await queries.findUserByEmailKey(deps.db, emailKey);
		const isRight = await verifyPassword(user?.password_hash ?? null, input.password);
		const diesAt = user?.initial_password_expires_at ?? null;
		if (user !== undefined && isRight && (diesAt === null || diesAt > isoAt(deps.clock))) {
			isRightPassword = true;
			return checkSecondFactor(deps, user, input.code);
		}
		const imported = await checkImportedLogin(deps, emailKey, input.password);
		if (imported === null) return null;
		const taken = await takeOverLogin(deps, caller, imported, input.password);
		return taken && { user: taken, code: null };
	});
	if (found === null) throw isRightPassword ? wrongCode() : new AppError('LOGIN_FAILED');
	return found;
}

/**
 * Looks at the code of whoever has two-factor sign-in on; the deactivated are told so before they look for one.
 * @throws AppError TWO_FACTOR_CODE_WANTED while none was given
 */
async function checkSecondFactor(
	deps: Deps,
	user: queries.UserRow,
	typed: string | undefined,
): Promise<Checked | null> {
	if (user.totp_confirmed_at === null || user.active === 0) return { user, code: null };
	if (typed === undefined || typed.trim() === '') throw new AppError('TWO_FACTOR_CODE_WANTED');
	const kept = { id: user.id, secretSealed: user.totp_secret_sealed, lastStep: user.totp_last_step };
	const code = await findRightCode(deps, kept, typed);
	return code === null ? null : { user, code };
}

/** @returns the session's token */
function openCheckedSession(deps: Deps, caller: Caller, { user, code }: Checked): Promise<string> {
	return inTransaction(deps.db, async (tx) => {
		const now = isoAt(deps.clock);
		// Checked before: meanwhile the password may have been changed, the account deactivated, or a code be wanted.
		const current = await queries.findUserByEmailKeyForUpdate(tx, user.email_key);
		if (current?.id !== user.id || current.password_hash !== user.password_hash) throw new AppError('LOGIN_FAILED');
		if (current.active === 0) throw new AppError('ACCOUNT_DEACTIVATED');
		if (current.totp_confirmed_at !== user.totp_confirmed_at) throw new AppError('LOGIN_FAILED');
		if (code !== null) await consumeCode(deps, tx, caller, user.id, code);
		const loginCount = await queries.countSignIn(tx, user.id, now);
		await queries.insertLoginHistory(tx, {
			id: newId(),
			user_id: user.id,
			login_count: loginCount,
			at: now,
			ip: caller.ip,
			browser_info: caller.userAgent,
		});
		await queries.deleteLoginHistoryThrough(tx, user.id, loginCount - limits.signInsOfUserMax);
		afterCommit(() => deps.bus.publish({ kind: 'hint', audience: { to: 'admins' }, hint: { topic: 'logins' } }));
		return (await openSession(deps, tx, user.id, caller)).token;
	});
}

/**
 * The first right sign-in with an imported login: the profile is made where a reset or a purchase has not made it before,
 * the password hashed our way, the import goes.
 * @returns null when somebody else has taken the address in between
 */
async function takeOverLogin(
	deps: Deps,
	caller: Caller,
	{ emailKey, email }: ImportedLogin,
	password: string,
): Promise<queries.UserRow | null> {
	const passwordHash = await hashPassword(password);
	return inTransaction(deps.db, async (tx) => {
		if (!(await deleteImportedLogin(tx, emailKey))) return null;
		const id = await adoptPassword(deps, tx, { emailKey, email }, passwordHash);
		if (id === null) return null;
		await recordAudit(deps, tx, caller, {
			action: 'login-taken-over',
			subjectKind: 'user',
			subjectId: id,
			detail: { email },
		});
		afterCommit(() => deps.bus.publish({ kind: 'hint', audience: { to: 'admins' }, hint: { topic: 'users' } }));
		return (await queries.findUserById(tx, id)) ?? null;
	});
}

/** @returns the id of the profile that has the password now, null when the profile has another one */
async function adoptPassword(
	deps: Deps,
	tx: Db,
	{ emailKey, email }: ImportedLogin,
	passwordHash: string,
): Promise<string | null> {
	const profile = await queries.findUserByEmailKeyForUpdate(tx, emailKey);
	if (profile === undefined)
		return createUser(deps, tx, { email, name: null, role: 'user', passwordHash, isInitialPassword: false });
	if (profile.password_hash !== null) return null;
	await queries.updatePassword(tx, profile.id, passwordHash);
	return profile.id;
}

/** Ends the caller's session everywhere; harmless without one. */
export async function signOut(deps: Deps, caller: Caller): Promise<void> {
	const { actor } = caller;
	if (actor === null) return;
	const { userId } = sessionOwnerOf(actor);
	await inTransaction(deps.db, async (tx) => {
		if (actor.viewedBy !== null) {
			await setView(tx, actor.sessionId, null);
			await recordViewEnd(deps, tx, caller, actor);
		}
		await markSessionsEnded(tx, { userId, sessionId: actor.sessionId }, 'logout', isoAt(deps.clock));
	});
	deps.bus.publish({ kind: 'ended', ended: { userId, sessionIds: [actor.sessionId], reason: 'logout' } });
	publishSessions(deps, userId);
}
