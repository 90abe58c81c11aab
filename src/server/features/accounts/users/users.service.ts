import type { Me, Role } from '#contract/accounts/account.ts';
import { limits } from '#contract/core/limits.ts';
import { emailPattern } from '#contract/core/text.ts';
import type { Actor, Caller } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/app-error.ts';
import { setImpersonation, setSessionsEnded } from '../../../platform/auth/sessions/sessions.queries.ts';
import { isoAt } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { isBroadSearch } from '../../../platform/database/search.ts';
import type { Deps } from '../../../platform/deps.ts';
import { emailKeyOf, newId } from '../../../platform/ids.ts';
import { recordAudit, systemCaller } from '../../audit/index.ts';
import { unsealVerifier } from './imported-logins.ts';
import * as queries from './users.queries.ts';

/** @throws AppError WEAK_PASSWORD for fewer than 6 characters */
export function assertStrongPassword(password: string): void {
	if ([...password].length < limits.passwordMinLength)
		throw new AppError('WEAK_PASSWORD', { fields: { password: 'error_weak_password' } });
}

/** @throws AppError EMAIL_INVALID */
export function assertEmail(email: string): void {
	if (!emailPattern.test(email) || email.length > limits.emailMaxLength)
		throw new AppError('EMAIL_INVALID', { fields: { email: 'error_email_invalid' } });
}

export function presentMe(actor: Actor): Me {
	return {
		id: actor.userId,
		email: actor.email,
		name: actor.name,
		role: actor.role,
		hasInitialPassword: actor.hasInitialPassword,
		mustSetUpTwoFactor: actor.mustSetUpTwoFactor,
		view: actor.impersonatedBy && { endsAt: actor.impersonatedBy.endsAt },
	};
}

/**
 * Creates the user of an imported login before the first sign-in, for a reset or a purchase. The imported password
 * stays valid until a new one is set by a mailed link, because anyone can enter any address in a reset or purchase.
 */
export async function createUserFromImportedLogin(deps: Deps, tx: Db, emailKey: string): Promise<void> {
	const imported = await queries.findImportedLogin(tx, emailKey);
	if (imported === undefined) return;
	const { email } = imported;
	const { name = null } = unsealVerifier(deps, imported.verifier);
	const id = await createUser(deps, tx, { email, name, role: 'user', passwordHash: null });
	if (id === null) return;
	await recordAudit(deps, tx, systemCaller, 'user-registered', ['user', id], { email, role: 'user' });
}

interface NewUser {
	email: string;
	name?: string | null;
	role: Role;
	/** Null for a user who sets the password by a mailed link. */
	passwordHash: string | null;
	/**
	 * Whether the password was mailed. It expires after seven days if the user does not sign in. The user is reminded to
	 * change it.
	 */
	isInitialPassword?: boolean;
}

/**
 * Creates an account in the caller's transaction. If a password is given, also deletes the imported login of
 * the address.
 * @returns the account's id; null when another account has the address
 */
export async function createUser(deps: Deps, tx: Db, user: NewUser): Promise<string | null> {
	const [id = null] = await createUsers(deps, tx, [user]);
	if (id !== null && user.passwordHash !== null) await queries.deleteImportedLogin(tx, emailKeyOf(user.email));
	return id;
}

/** Creates accounts without deleting imported logins. @returns their ids; null when another account has the address */
export async function createUsers(deps: Deps, tx: Db, users: readonly NewUser[]): Promise<Array<string | null>> {
	const rows = users.map(({ email, name = null, role, passwordHash, isInitialPassword }) => ({
		id: newId(),
		...emailColumns(email, name),
		name,
		role,
		active: 1 as const,
		password_hash: passwordHash,
		has_initial_password: isInitialPassword ? (1 as const) : (0 as const),
		created_at: isoAt(deps.clock),
	}));
	const inserted = await queries.insertUsersIfNew(tx, rows);
	return rows.map(({ id }) => (inserted.has(id) ? id : null));
}

export function emailColumns(typedEmail: string, name: string | null) {
	const email = typedEmail.trim();
	return { email, email_key: emailKeyOf(email), search_key: emailKeyOf(`${email}\n${name ?? ''}`) };
}

/**
 * Changes the address and the first password of an unused account in the caller's transaction. Older password links
 * become invalid.
 */
export async function changeEmailOfUnusedUser(
	deps: Deps,
	tx: Db,
	user: { id: string; name: string | null },
	to: { email: string; passwordHash: string },
): Promise<void> {
	await queries.updateUser(tx, user.id, {
		...emailColumns(to.email, user.name),
		password_hash: to.passwordHash,
		has_initial_password: 1,
		initial_password_expires_at: null,
	});
	await queries.revokePasswordLinks(tx, user.id, isoAt(deps.clock));
}

interface PasswordChange {
	action: 'password-changed' | 'password-set' | 'password-reset';
	userId: string;
	passwordHash: string;
	/** Id of a session that does not end. */
	exceptId?: string;
}

/** Sets a password. Mailed links become invalid, and sessions end. @returns the ids of the ended sessions */
export async function replacePassword(deps: Deps, tx: Db, caller: Caller, change: PasswordChange): Promise<string[]> {
	const { action, userId, passwordHash, exceptId } = change;
	const now = isoAt(deps.clock);
	await queries.updatePassword(tx, userId, passwordHash);
	await queries.revokePasswordLinks(tx, userId, now);
	await recordAudit(deps, tx, caller, action, ['user', userId]);
	return setSessionsEnded(tx, { userId, exceptId }, 'password', now);
}

export function findUserByEmail(db: Db, email: string) {
	return queries.findUserByEmailKey(db, emailKeyOf(email));
}

/** Prepares a search of users for {@link queries.matchesSearch}. */
export async function createUserSearch(db: Db, text: string | undefined): Promise<queries.UserSearch> {
	const searchKey = emailKeyOf(text ?? '');
	return { searchKey, isBroad: await isBroadSearch(db, 'users_search', searchKey, limits.searchCountMax) };
}

/** Whether an address has an account, or an imported login that becomes an account at the first sign-in. */
export async function hasLogin(db: Db, email: string): Promise<boolean> {
	const isUser = (await findUserByEmail(db, email)) !== undefined;
	return isUser || (await queries.findImportedLogin(db, emailKeyOf(email))) !== undefined;
}

/** Returns email addresses by account id. Deleted accounts are missing. */
export async function listEmailsByUserId(db: Db, userIds: string[]): Promise<Map<string, string>> {
	const rows = userIds.length === 0 ? [] : await queries.listUserEmails(db, userIds);
	return new Map(rows.map(({ id, email }) => [id, email]));
}

export function findUserByEmailForUpdate(tx: Db, email: string) {
	return queries.findUserByEmailKeyForUpdate(tx, emailKeyOf(email));
}

export async function stopImpersonation(deps: Deps, tx: Db, caller: Caller, { sessionId, userId, email }: Actor) {
	await setImpersonation(tx, sessionId, null);
	await recordAudit(deps, tx, caller, 'view-as-ended', ['user', userId], { email });
}
