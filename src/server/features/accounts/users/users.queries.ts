import type { Expression, ExpressionBuilder, Insertable, SqlBool, Updateable } from 'kysely';
import { insertInto, prepareQuery } from '../../../platform/database/query-preparation.ts';
import type { Db, Schema } from '../../../platform/database/schema.ts';
import { containsPattern, hasTrigrams, roughPattern } from '../../../platform/database/search.ts';
import { lockRows } from '../../../platform/database/transaction.ts';

export type UserRow = NonNullable<Awaited<ReturnType<typeof findUserByEmailKey>>>;

export function findUserByEmailKey(db: Db, emailKey: string) {
	return db.selectFrom('users').selectAll().where('email_key', '=', emailKey).executeTakeFirst();
}

export function findUserById(db: Db, id: string) {
	return db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
}

/**
 * Finds users and locks them until the transaction ends: with `share` only against deletion, with `wait` also against
 * other changes. Unknown ids are left out.
 */
export function lockUsers(tx: Db, ids: readonly string[], mode: 'share' | 'wait' = 'share') {
	const columns = ['id', 'email', 'email_key as emailKey', 'active'] as const;
	const users = tx.selectFrom('users').select(columns).where('id', 'in', ids).orderBy('id');
	return lockRows(tx, users, mode).execute();
}

export type UserCondition = (where: ExpressionBuilder<Schema, 'users'>) => Expression<SqlBool>;

export interface UserSearch {
	searchKey: string;
	/** Whether many users match. Then scanning the list in its order is faster than sorting all matches. */
	isBroad: boolean;
}

/** Returns a condition that is true for users with the text in the address or name. */
export function matchesSearch({ searchKey, isBroad }: UserSearch): UserCondition {
	return (where) => {
		if (searchKey === '') return where.lit(true);
		const matches = where('users.search_key', 'like', containsPattern(searchKey));
		if (isBroad || !hasTrigrams(searchKey)) return matches;
		const found = where
			.selectFrom('users_search')
			.select('users_search.id')
			.where('users_search.search_key', 'like', roughPattern(searchKey));
		return where.and([where('users.id', 'in', found), matches]);
	};
}

export function listUserEmails(db: Db, ids: string[]) {
	return db.selectFrom('users').select(['id', 'email']).where('id', 'in', ids).execute();
}

/** Locks a user until the transaction ends, so that two purchases of the user run one after the other. */
export function findUserByEmailKeyForUpdate(tx: Db, emailKey: string) {
	return lockRows(tx, tx.selectFrom('users').selectAll().where('email_key', '=', emailKey)).executeTakeFirst();
}

const lockUserRow = prepareQuery((tx, { id }: { id: string }) =>
	lockRows(tx, tx.selectFrom('users').select('id').where('id', '=', id), 'share'),
);

/** Prevents the deletion of a user until the transaction ends. @returns whether the user exists */
export async function lockUserIfExists(tx: Db, id: string): Promise<boolean> {
	return (await lockUserRow(tx, { id })).rows.length > 0;
}

/** Inserts users whose addresses are free. @returns the ids of the inserted users */
export async function insertUsersIfNew(
	tx: Db,
	users: ReadonlyArray<Insertable<Schema['users']>>,
): Promise<Set<string>> {
	// In one statement: the trigger then locks the counts of users after the statement has waited for other accounts.
	const rows = await tx
		.insertInto('users')
		.values(users.toSorted((one, other) => (one.email_key < other.email_key ? -1 : 1)))
		.onConflict((conflict) => conflict.column('email_key').doNothing())
		.returning('id')
		.execute();
	return new Set(rows.map(({ id }) => id));
}

export async function hasAdmin(db: Db): Promise<boolean> {
	const row = await db.selectFrom('users').select('id').where('role', '=', 'admin').limit(1).executeTakeFirst();
	return row !== undefined;
}

export function findFirstAdmin(db: Db) {
	return db
		.selectFrom('users')
		.select(['id', 'email'])
		.where('role', '=', 'admin')
		.where('active', '=', 1)
		.orderBy('created_at')
		.orderBy('id')
		.limit(1)
		.executeTakeFirst();
}

export async function updateUser(tx: Db, id: string, changes: Updateable<Schema['users']>): Promise<void> {
	await tx.updateTable('users').set(changes).where('id', '=', id).execute();
}

/** Whether a user has files, is the recipient of a share, or is a member of a named group. */
export async function hasFilesOrShares(db: Db, id: string): Promise<boolean> {
	const node = await db.selectFrom('nodes').select('id').where('owner_id', '=', id).limit(1).executeTakeFirst();
	if (node !== undefined) return true;
	const share = await db.selectFrom('shares').select('id').where('recipient_id', '=', id).limit(1).executeTakeFirst();
	if (share !== undefined) return true;
	const group = await db.selectFrom('group_members').select('group_id').where('user_id', '=', id).executeTakeFirst();
	return group !== undefined;
}

/** Deletes a user, unless the user has signed in or owns files or folders. */
export async function deleteUnusedUser(tx: Db, id: string): Promise<void> {
	await tx
		.deleteFrom('users')
		.where('id', '=', id)
		.where('login_count', '=', 0)
		.where((where) =>
			where.not(where.exists(where.selectFrom('nodes').select('nodes.id').where('nodes.owner_id', '=', id))),
		)
		.execute();
}

/** Counts a sign-in and removes the expiry of a first password. @returns the new count */
export async function incrementLoginCount(tx: Db, userId: string, now: string): Promise<number> {
	const row = await tx
		.updateTable('users')
		.set((eb) => ({ login_count: eb('login_count', '+', 1), last_login_at: now, initial_password_expires_at: null }))
		.where('id', '=', userId)
		.returning('login_count')
		.executeTakeFirstOrThrow();
	return row.login_count;
}

export const insertLoginHistory = insertInto('login_history');

export async function deleteLoginHistoryThrough(tx: Db, userId: string, loginCount: number): Promise<void> {
	await tx.deleteFrom('login_history').where('user_id', '=', userId).where('login_count', '<=', loginCount).execute();
}

export async function hasSignedInFrom(db: Db, emailKey: string, ip: string, since: string): Promise<boolean> {
	const row = await db
		.selectFrom('users')
		.innerJoin('login_history', 'login_history.user_id', 'users.id')
		.select('login_history.id')
		.where('users.email_key', '=', emailKey)
		.where('login_history.ip', '=', ip)
		.where('login_history.at', '>', since)
		.limit(1)
		.executeTakeFirst();
	return row !== undefined;
}

export function updatePassword(tx: Db, id: string, passwordHash: string): Promise<void> {
	return updateUser(tx, id, {
		password_hash: passwordHash,
		has_initial_password: 0,
		initial_password_expires_at: null,
	});
}

export const insertPasswordLink = insertInto('password_links');

export function findUsablePasswordLink(db: Db, tokenHash: string, now: string) {
	return db
		.selectFrom('password_links')
		.select(['id', 'user_id as userId'])
		.where('token_hash', '=', tokenHash)
		.where('used_at', 'is', null)
		.where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
		.executeTakeFirst();
}

/** Uses up a link. Only one of two concurrent calls returns true. */
export async function consumePasswordLink(tx: Db, id: string, now: string): Promise<boolean> {
	const { numUpdatedRows } = await tx
		.updateTable('password_links')
		.set({ used_at: now })
		.where('id', '=', id)
		.where('used_at', 'is', null)
		.executeTakeFirst();
	return numUpdatedRows > 0n;
}

/** Revokes all password links of a user, so that no older link can replace a new password. */
export async function revokePasswordLinks(tx: Db, userId: string, now: string): Promise<void> {
	await tx
		.updateTable('password_links')
		.set({ used_at: now })
		.where('user_id', '=', userId)
		.where('used_at', 'is', null)
		.execute();
}

export function findPasswordLinkLifetime(db: Db, id: string) {
	return db
		.selectFrom('password_links')
		.select(['user_id as userId', 'lifetime_seconds as lifetimeSeconds'])
		.where('id', '=', id)
		.executeTakeFirst();
}

export async function setPasswordLinkExpiry(tx: Db, id: string, expiresAt: string): Promise<void> {
	await tx
		.updateTable('password_links')
		.set({ expires_at: expiresAt })
		.where('id', '=', id)
		.where('expires_at', 'is', null)
		.execute();
}

/** Sets when a mailed first password expires, unless the user has signed in or the expiry is already set. */
export async function setInitialPasswordExpiry(tx: Db, userId: string, expiresAt: string): Promise<void> {
	await tx
		.updateTable('users')
		.set({ initial_password_expires_at: expiresAt })
		.where('id', '=', userId)
		.where('has_initial_password', '=', 1)
		.where('login_count', '=', 0)
		.where('initial_password_expires_at', 'is', null)
		.execute();
}

export function findImportedLogin(db: Db, emailKey: string) {
	return db
		.selectFrom('imported_logins')
		.select(['email', 'verifier'])
		.where('email_key', '=', emailKey)
		.executeTakeFirst();
}

export function findAnyImportedLogin(db: Db) {
	return db.selectFrom('imported_logins').select(['email', 'verifier']).limit(1).executeTakeFirst();
}

export async function upsertImportedLogin(tx: Db, login: Insertable<Schema['imported_logins']>): Promise<void> {
	await tx
		.insertInto('imported_logins')
		.values(login)
		.onConflict((conflict) => conflict.column('email_key').doUpdateSet({ verifier: login.verifier }))
		.execute();
}

/** @returns whether the imported login existed; only one of two concurrent calls returns true */
export async function deleteImportedLogin(tx: Db, emailKey: string): Promise<boolean> {
	const { numDeletedRows } = await tx
		.deleteFrom('imported_logins')
		.where('email_key', '=', emailKey)
		.executeTakeFirst();
	return numDeletedRows > 0n;
}

export function findUserByIdForUpdate(tx: Db, id: string) {
	return lockRows(
		tx,
		tx.selectFrom('users').select(['id', 'email', 'email_key as emailKey']).where('id', '=', id),
	).executeTakeFirst();
}

/**
 * Deletes a user with the sessions, login history, password links, recovery codes and imported login. Orders are kept
 * without the user.
 */
export async function deleteUser(tx: Db, user: { id: string; emailKey: string }): Promise<void> {
	await tx.deleteFrom('imported_logins').where('email_key', '=', user.emailKey).execute();
	await tx.deleteFrom('users').where('id', '=', user.id).execute();
}

export function listLoginHistoryRows(db: Db, query: { userId: string; before: number | null; limit: number }) {
	let page = db
		.selectFrom('login_history')
		.select(['id', 'login_count as loginCount', 'at', 'ip', 'browser_info as browserInfo'])
		.where('user_id', '=', query.userId)
		.orderBy('login_count', 'desc')
		.limit(query.limit);
	if (query.before !== null) page = page.where('login_count', '<', query.before);
	return page.execute();
}
