import type { Me, Role } from '#contract/accounts/account.ts';
import { limits } from '#contract/core/limits.ts';
import type { Actor, Caller } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/app-error.ts';
import { emailKeyOf } from '../../../platform/auth/email-key.ts';
import { isoAt } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/schema.ts';
import type { Deps } from '../../../platform/deps.ts';
import { newId } from '../../../platform/ids.ts';
import { recordAudit, systemCaller } from '../../audit/index.ts';
import { deleteImportedLogin } from './imported-logins.ts';
import * as queries from './users.queries.ts';

/** @throws AppError WEAK_PASSWORD for less than 6 characters. */
export function assertStrongPassword(password: string): void {
	if ([...password].length < limits.passwordMinLength)
		throw new AppError('WEAK_PASSWORD', { fields: { password: 'error_weak_password' } });
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
		view: actor.impersonatedBy && { endsAt: actor.impersonatedBy.endsAt },
	};
}

/** Whose password was right, and the code that came with it; null where none is wanted. */
/**
 * An imported login gets its profile before its first sign-in, for a reset or a purchase. The imported password goes on
 * working until a link has set another: anybody may ask for a reset, or buy, with anybody's address.
 */
export async function createUserFromImportedLogin(deps: Deps, tx: Db, emailKey: string): Promise<void> {
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

/** In the caller's transaction: an account that nobody has used moves to another address; older links to it end. */
export async function changeEmailOfUnusedUser(
	deps: Deps,
	tx: Db,
	user: { id: string; name: string | null },
	to: { email: string; passwordHash: string },
): Promise<void> {
	const email = to.email.trim();
	await queries.updateUnusedUserEmail(tx, user.id, {
		email,
		email_key: emailKeyOf(email),
		search_key: emailKeyOf(`${email}\n${user.name ?? ''}`),
		password_hash: to.passwordHash,
	});
	await queries.revokePasswordLinks(tx, user.id, isoAt(deps.clock));
}

/** Takes an imported login away without making a profile: a deleted person does not come back by it. */
export async function deleteImportedLoginByEmail(tx: Db, email: string): Promise<void> {
	await deleteImportedLogin(tx, emailKeyOf(email));
}

/** The account of an address, or undefined. */
export function findUserByEmail(db: Db, email: string) {
	return queries.findUserByEmailKey(db, emailKeyOf(email));
}

/** The addresses of some accounts, by id; who is no longer there is missing. */
export async function listEmailsByUserId(db: Db, userIds: string[]): Promise<Map<string, string>> {
	const rows = userIds.length === 0 ? [] : await queries.listUserEmails(db, userIds);
	return new Map(rows.map(({ id, email }) => [id, email]));
}

/** The same with a row lock until the transaction ends. */
export function findUserByEmailForUpdate(tx: Db, email: string) {
	return queries.findUserByEmailKeyForUpdate(tx, emailKeyOf(email));
}

/** An admin's view of the product as a member sees it is over, by their own doing. */
export function recordImpersonationEnd(deps: Deps, tx: Db, caller: Caller, viewed: { userId: string; email: string }) {
	return recordAudit(deps, tx, caller, {
		action: 'view-as-ended',
		subjectKind: 'user',
		subjectId: viewed.userId,
		detail: { email: viewed.email },
	});
}
