import type { Me, Role } from '#contract/account/account.ts';
import { limits } from '#contract/core/limits.ts';
import { emailForm } from '#contract/core/page.ts';
import type { Db } from '../../db/schema.ts';
import { afterCommit, inTransaction } from '../../db/transaction.ts';
import type { Caller } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { rememberDevice } from '../../platform/auth/known-devices.ts';
import { hashPassword, verifyPassword } from '../../platform/auth/passwords.ts';
import { rateLimits, takeAllowance } from '../../platform/auth/rate-limits.ts';
import { markSessionsEnded } from '../../platform/auth/sessions.queries.ts';
import { openSession, publishSessions } from '../../platform/auth/sessions.ts';
import { isoAt } from '../../platform/clock.ts';
import type { Deps } from '../../platform/deps.ts';
import { newId, newToken } from '../../platform/ids.ts';
import { enqueueJob } from '../../platform/jobs/jobs.ts';
import { recordAudit, systemCaller } from '../audit/audit.service.ts';
import { enqueueMail } from '../mail/mail.service.ts';
import * as queries from './account.queries.ts';
import { checkImportedLogin, deleteImportedLogin, type ImportedLogin } from './imported-logins.ts';
import { tryWithinLimits } from './password-attempts.ts';

const resetLinkSeconds = 3600;

/** How long a mailed first password and its link work, counted from the sending. Source: the readings, buying. */
export const firstLinkSeconds = 7 * 24 * 3600;

export const resetJob = 'password-reset';

/** The form in which addresses are compared: two spellings of one address, full-width letters too, are one person. */
export function emailKeyOf(email: string): string {
	return email.trim().normalize('NFKC').toLowerCase();
}

/** @throws AppError WEAK_PASSWORD for less than 6 characters. */
export function requireStrongPassword(password: string): void {
	if ([...password].length < limits.passwordMinLength)
		throw new AppError('WEAK_PASSWORD', { fields: { password: 'error_weak_password' } });
}

/**
 * Checks a password and opens a session: one more in loginCount, one entry in the history.
 * @returns the tokens for both cookies, `knownDevices` null when that one stays as it is
 * @throws AppError LOGIN_FAILED (unknown address, wrong or outlived password alike), ACCOUNT_DEACTIVATED, TOO_MANY_SIGN_INS
 */
export async function signIn(
	deps: Deps,
	caller: Caller,
	input: { email: string; password: string; knownDevices?: string | undefined },
): Promise<{ me: Me; token: string; knownDevices: string | null }> {
	const user = await checkPassword(deps, caller, input);
	const token = await inTransaction(deps.db, async (tx) => {
		const now = isoAt(deps.clock);
		// The password was checked before: meanwhile it may have been changed, or the account deactivated.
		const current = await queries.findUserByEmailKeyForUpdate(tx, user.email_key);
		if (current?.id !== user.id || current.password_hash !== user.password_hash) throw new AppError('LOGIN_FAILED');
		if (current.active === 0) throw new AppError('ACCOUNT_DEACTIVATED');
		const loginCount = await queries.countSignIn(tx, user.id, now);
		await queries.insertLoginHistory(tx, {
			id: newId(),
			user_id: user.id,
			login_count: loginCount,
			at: now,
			ip: caller.ip,
			browser_info: caller.userAgent,
		});
		afterCommit(() => deps.bus.publish({ kind: 'hint', audience: { to: 'admins' }, hint: { topic: 'logins' } }));
		return (await openSession(deps, tx, user.id, caller)).token;
	});
	publishSessions(deps, user.id);
	return {
		me: {
			id: user.id,
			email: user.email,
			name: user.name,
			role: user.role,
			hasInitialPassword: user.has_initial_password === 1,
		},
		token,
		knownDevices: rememberDevice(deps, input.knownDevices, user.email_key),
	};
}

/** @throws AppError LOGIN_FAILED, TOO_MANY_SIGN_INS */
async function checkPassword(
	deps: Deps,
	caller: Caller,
	input: { email: string; password: string; knownDevices?: string | undefined },
): Promise<queries.UserRow> {
	const emailKey = emailKeyOf(input.email);
	const attempt = { emailKey, ip: caller.ip, knownDevices: input.knownDevices };
	const found = await tryWithinLimits(deps, attempt, async () => {
		const user = await queries.findUserByEmailKey(deps.db, emailKey);
		const isRight = await verifyPassword(user?.password_hash ?? null, input.password);
		const diesAt = user?.initial_password_expires_at ?? null;
		if (user !== undefined && isRight && (diesAt === null || diesAt > isoAt(deps.clock))) return user;
		const imported = await checkImportedLogin(deps, emailKey, input.password);
		return imported === null || user !== undefined ? null : takeOverLogin(deps, caller, imported, input.password);
	});
	if (found === null) throw new AppError('LOGIN_FAILED');
	return found;
}

/**
 * The first right sign-in with an imported login: the profile is made, the password hashed our way, the import goes.
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
		const id = await createUser(deps, tx, { email, name: null, role: 'user', passwordHash, isInitialPassword: false });
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

/** Ends the caller's session everywhere; harmless without one. */
export async function signOut(deps: Deps, caller: Caller): Promise<void> {
	const { actor } = caller;
	if (actor === null) return;
	await markSessionsEnded(deps.db, { userId: actor.userId, sessionId: actor.sessionId }, 'logout', isoAt(deps.clock));
	deps.bus.publish({ kind: 'ended', ended: { userId: actor.userId, sessionIds: [actor.sessionId], reason: 'logout' } });
	publishSessions(deps, actor.userId);
}

/**
 * Asks for a reset mail. Known or not, an address costs the same: one job row; whether there is somebody is looked up later.
 * @throws AppError TOO_MANY_RESETS
 */
export async function requestReset(deps: Deps, caller: Caller, email: string): Promise<void> {
	const emailKey = emailKeyOf(email);
	if (!emailForm.test(email.trim()) || emailKey.length > limits.emailMaxLength) {
		throw new AppError('INVALID_INPUT', { fields: { email: 'error_email_format' } });
	}
	const isAllowed =
		(await takeAllowance(deps, rateLimits.resetPerAccount, emailKey)) &&
		(await takeAllowance(deps, rateLimits.resetPerAddress, caller.ip));
	if (!isAllowed) throw new AppError('TOO_MANY_RESETS', { retryAfterSeconds: rateLimits.resetPerAccount.seconds });
	await enqueueJob(deps, deps.db, resetJob, { emailKey, locale: caller.locale });
	deps.wakeWorkers();
}

/** The job behind {@link requestReset}: mails a link of one hour to whoever has the address. */
export async function sendResetMail(deps: Deps, payload: unknown): Promise<void> {
	const { emailKey, locale } = payload as { emailKey: string; locale: 'en' | 'hi' };
	await inTransaction(deps.db, async (tx) => {
		await makeProfileOfImport(deps, tx, emailKey);
		const user = await queries.findUserByEmailKey(tx, emailKey);
		if (user === undefined) return;
		const link = await createPasswordLink(deps, tx, user.id, resetLinkSeconds);
		await enqueueMail(deps, tx, { kind: 'reset', to: user.email, locale, linkId: link.id, token: link.token });
	});
	deps.wakeWorkers();
}

/** Whoever has forgotten the password of an imported login gets a profile without one, and the link that sets it. */
async function makeProfileOfImport(deps: Deps, tx: Db, emailKey: string): Promise<void> {
	const imported = await queries.findImportedLogin(tx, emailKey);
	if (imported === undefined) return;
	const { email } = imported;
	const id = await createUser(deps, tx, {
		email,
		name: null,
		role: 'user',
		passwordHash: null,
		isInitialPassword: false,
	});
	if (id === null) return;
	await recordAudit(deps, tx, systemCaller, {
		action: 'user-registered',
		subjectKind: 'user',
		subjectId: id,
		detail: { email, role: 'user' },
	});
}

/** Makes a link that sets a password once; its clock starts when the mail is sent ({@link startLinkClock}). */
export async function createPasswordLink(
	deps: Deps,
	tx: Db,
	userId: string,
	lifetimeSeconds: number,
): Promise<{ id: string; token: string }> {
	const token = newToken();
	const id = newId();
	await queries.insertPasswordLink(tx, {
		id,
		user_id: userId,
		token_hash: deps.secrets.hashToken(token),
		expires_at: null,
		lifetime_seconds: lifetimeSeconds,
		used_at: null,
		created_at: isoAt(deps.clock),
	});
	return { id, token };
}

/** The mail with this link has gone out: from now on the link, and a first password beside it, grow old. */
export async function startLinkClock(deps: Deps, tx: Db, linkId: string): Promise<void> {
	const link = await queries.findLinkLifetime(tx, linkId);
	if (link === undefined) return;
	const expiresAt = isoAt(deps.clock, link.lifetimeSeconds);
	await queries.setLinkExpiry(tx, linkId, expiresAt);
	await queries.setInitialPasswordExpiry(tx, link.userId, expiresAt);
}

/** Whether a mailed link can still be used; looking does not consume it. */
export async function isLinkUsable(deps: Deps, token: string): Promise<boolean> {
	return (await queries.findUsableLink(deps.db, deps.secrets.hashToken(token), isoAt(deps.clock))) !== undefined;
}

/**
 * Uses a mailed link, once: the new password stands, every session of that person ends, older links close. Whoever has
 * the mailbox is the owner: this browser counts as known, so that a locked sign-in opens at once.
 * @throws AppError LINK_INVALID, WEAK_PASSWORD (the link stays good)
 */
export async function setPasswordByLink(
	deps: Deps,
	caller: Caller,
	input: { token: string; password: string; knownDevices?: string | undefined },
): Promise<{ knownDevices: string | null }> {
	const tokenHash = deps.secrets.hashToken(input.token);
	const link = await queries.findUsableLink(deps.db, tokenHash, isoAt(deps.clock));
	if (link === undefined) throw new AppError('LINK_INVALID');
	requireStrongPassword(input.password);
	const passwordHash = await hashPassword(input.password);
	const emailKey = await inTransaction(deps.db, async (tx) => {
		const now = isoAt(deps.clock);
		if (!(await queries.consumeLink(tx, link.id, now))) throw new AppError('LINK_INVALID');
		await queries.updatePassword(tx, link.userId, passwordHash);
		await queries.closeLinksOfUser(tx, link.userId, now);
		await markSessionsEnded(tx, { userId: link.userId }, 'password', now);
		await recordAudit(deps, tx, caller, { action: 'password-set', subjectKind: 'user', subjectId: link.userId });
		return (await queries.findUserById(tx, link.userId))?.email_key ?? '';
	});
	deps.bus.publish({ kind: 'ended', ended: { userId: link.userId, reason: 'password' } });
	return { knownDevices: rememberDevice(deps, input.knownDevices, emailKey) };
}

export interface NewUser {
	email: string;
	name: string | null;
	role: Role;
	/** Null for whoever sets it by a mailed link. */
	passwordHash: string | null;
	/** Mailed to the person: dies unused after seven days, and a reminder asks to change it. */
	isInitialPassword: boolean;
}

/** Creates an account inside the caller's transaction; an imported login of the address goes. @returns its id, or null when the address is taken. */
export async function createUser(deps: Deps, tx: Db, user: NewUser): Promise<string | null> {
	const id = newId();
	const isNew = await queries.insertUserIfNew(tx, {
		id,
		email: user.email.trim(),
		email_key: emailKeyOf(user.email),
		name: user.name,
		role: user.role,
		active: 1,
		last_login_at: null,
		password_hash: user.passwordHash,
		initial_password_expires_at: null,
		has_initial_password: user.isInitialPassword ? 1 : 0,
		created_at: isoAt(deps.clock),
	});
	await deleteImportedLogin(tx, emailKeyOf(user.email));
	return isNew ? id : null;
}

/** Takes an imported login away without making a profile: a deleted person does not come back by it. */
export async function removeImportedLogin(tx: Db, email: string): Promise<void> {
	await deleteImportedLogin(tx, emailKeyOf(email));
}

/** The account of an address, or undefined. */
export function findUserByEmail(db: Db, email: string) {
	return queries.findUserByEmailKey(db, emailKeyOf(email));
}

/** The same with a row lock until the transaction ends. */
export function findUserByEmailForUpdate(tx: Db, email: string) {
	return queries.findUserByEmailKeyForUpdate(tx, emailKeyOf(email));
}

export { findUserById, lockUserStays, type UserRow, updateRole } from './account.queries.ts';
