import type { Me, Role } from '#contract/account/account.ts';
import { limits } from '#contract/core/limits.ts';
import { emailForm } from '#contract/core/page.ts';
import type { Db } from '../../db/schema.ts';
import { afterCommit, inTransaction } from '../../db/transaction.ts';
import { type Actor, type Caller, sessionOwnerOf } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { rememberDevice } from '../../platform/auth/known-devices.ts';
import { hashPassword, verifyPassword } from '../../platform/auth/passwords.ts';
import { rateLimits, takeAllowance } from '../../platform/auth/rate-limits.ts';
import { markSessionsEnded, setView } from '../../platform/auth/sessions.queries.ts';
import { openSession, publishSessions, resolveSession } from '../../platform/auth/sessions.ts';
import { isoAt } from '../../platform/clock.ts';
import type { Deps } from '../../platform/deps.ts';
import { newId, newToken } from '../../platform/ids.ts';
import { enqueueJob } from '../../platform/jobs/jobs.ts';
import { recordAudit, systemCaller } from '../audit/audit.service.ts';
import { enqueueMail } from '../mail/mail.service.ts';
import { consumeCode, findRightCode, type RightCode, wrongCode } from '../two-factor/two-factor.sign-in.service.ts';
import * as queries from './account.queries.ts';
import { checkImportedLogin, deleteImportedLogin, type ImportedLogin } from './imported-logins.ts';
import { tryWithinLimits } from './password-attempts.service.ts';

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

/** The signed-in person, as screens may know them. */
export function presentMe(actor: Actor): Me {
	return {
		id: actor.userId,
		email: actor.email,
		name: actor.name,
		role: actor.role,
		hasInitialPassword: actor.hasInitialPassword,
		mustSetUpTwoFactor: actor.mustSetUpTwoFactor,
		view: actor.viewedBy && { endsAt: actor.viewedBy.endsAt },
	};
}

/** Whose password was right, and the code that came with it; null where none is wanted. */
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

/**
 * An imported login gets its profile before its first sign-in, for a reset or a purchase. The imported password goes on
 * working until a link has set another: anybody may ask for a reset, or buy, with anybody's address.
 */
export async function makeProfileOfImport(deps: Deps, tx: Db, emailKey: string): Promise<void> {
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
		const key = (await queries.findUserById(tx, link.userId))?.email_key ?? '';
		await deleteImportedLogin(tx, key);
		return key;
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

/**
 * Creates an account inside the caller's transaction; with a password of its own, an imported login of the address goes.
 * @returns its id, or null when the address is taken
 */
export async function createUser(deps: Deps, tx: Db, user: NewUser): Promise<string | null> {
	const id = newId();
	const isNew = await queries.insertUserIfNew(tx, {
		id,
		email: user.email.trim(),
		email_key: emailKeyOf(user.email),
		name: user.name,
		search_key: emailKeyOf(`${user.email.trim()}\n${user.name ?? ''}`),
		role: user.role,
		active: 1,
		last_login_at: null,
		password_hash: user.passwordHash,
		initial_password_expires_at: null,
		has_initial_password: user.isInitialPassword ? 1 : 0,
		created_at: isoAt(deps.clock),
	});
	if (isNew && user.passwordHash !== null) await deleteImportedLogin(tx, emailKeyOf(user.email));
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

/** An admin's view of the product as a member sees it is over, by their own doing. */
export function recordViewEnd(deps: Deps, tx: Db, caller: Caller, viewed: { userId: string; email: string }) {
	return recordAudit(deps, tx, caller, {
		action: 'view-as-ended',
		subjectKind: 'user',
		subjectId: viewed.userId,
		detail: { email: viewed.email },
	});
}

export { findUserById, lockUserStays, type UserRow, updateRole } from './account.queries.ts';
