import { sql } from 'kysely';
import { countRows } from '../../../platform/database/query-preparation.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { containsPattern, hasTrigrams, roughPattern } from '../../../platform/database/search.ts';
import { lockRows } from '../../../platform/database/transaction.ts';

type UserFilter = 'all' | 'active' | 'deactivated' | 'admins';

export interface UserListQuery {
	searchKey: string;
	filter: UserFilter;
	/** Whether many users match. Then scanning the newest users is faster than sorting all matches. */
	isBroad: boolean;
	/** Last row of the previous page. */
	after: { activeAt: string; id: string } | null;
	limit: number;
}

// Must match the expression in the indexes of migration 0002 exactly.
const activeAt = sql<string>`coalesce(last_login_at, created_at)`;
const userColumns = [
	'id',
	'email',
	'name',
	'role',
	'active',
	'login_count as loginCount',
	'last_login_at as lastLoginAt',
	'created_at as createdAt',
	'totp_confirmed_at as twoFactorSince',
] as const;

function filterUsers(db: Db, query: Pick<UserListQuery, 'searchKey' | 'filter' | 'isBroad'>) {
	const { searchKey, filter, isBroad } = query;
	let users = db.selectFrom('users');
	if (!isBroad && hasTrigrams(searchKey)) {
		users = users.where('id', 'in', (eb) =>
			eb.selectFrom('users_search').select('id').where('search_key', 'like', roughPattern(searchKey)),
		);
	}
	if (searchKey !== '') users = users.where('search_key', 'like', containsPattern(searchKey));
	if (filter === 'active') users = users.where('active', '=', 1);
	if (filter === 'deactivated') users = users.where('active', '=', 0);
	if (filter === 'admins') users = users.where('role', '=', 'admin');
	return users;
}

/** Lists one page of users by their last sign-in or, without a sign-in, by their registration; newest first. */
export function listUsers(db: Db, query: UserListQuery) {
	return buildUserPageQuery(db, query).execute();
}

/** Builds the query of {@link listUsers}. Exported, so that tests can inspect the query plan. */
export function buildUserPageQuery(db: Db, query: UserListQuery) {
	let page = filterUsers(db, query).select(userColumns).orderBy(activeAt, 'desc').orderBy('id').limit(query.limit);
	const { after } = query;
	if (after !== null) {
		// The first condition lets the index start at the cursor. The second skips users of the previous pages.
		page = page
			.where(activeAt, '<=', after.activeAt)
			.where((where) => where.or([where(activeAt, '<', after.activeAt), where('id', '>', after.id)]));
	}
	return page;
}

export function countMatchingUsers(
	db: Db,
	query: Pick<UserListQuery, 'searchKey' | 'filter' | 'isBroad'>,
	atMost: number,
): Promise<number> {
	const matching = filterUsers(db, query).select(sql<number>`1`.as('found')).limit(atMost);
	return countRows(db.selectFrom(matching.as('some')));
}

export async function countUsers(db: Db, filter: UserFilter): Promise<number> {
	let counts = db.selectFrom('users_counts');
	if (filter === 'active') counts = counts.where('active', '=', 1);
	if (filter === 'deactivated') counts = counts.where('active', '=', 0);
	if (filter === 'admins') counts = counts.where('role', '=', 'admin');
	const row = await counts.select((eb) => eb.fn.sum<number>('users').as('count')).executeTakeFirstOrThrow();
	return row.count;
}

/** Returns the number of files and bytes in the space of each user, including the trash. */
export function listSpaceUsage(db: Db, userIds: string[]) {
	return db
		.selectFrom('spaces')
		.select(['owner_id as userId', 'file_count as fileCount', 'used_bytes as sizeBytes'])
		.where('owner_id', 'in', userIds)
		.execute();
}

export function listOrderSummaries(db: Db, userIds: string[]) {
	return db
		.selectFrom('orders')
		.select(['user_id as userId', sql<number>`max(case when status = 'Complete' then 1 else 0 end)`.as('isComplete')])
		.where('user_id', 'in', userIds)
		.groupBy('user_id')
		.execute();
}

export function findUserSummary(db: Db, id: string) {
	return db.selectFrom('users').select(userColumns).where('id', '=', id).executeTakeFirst();
}

export function listAllUsers(db: Db) {
	return db.selectFrom('users').select(['id', 'email', 'role', 'active']).orderBy('email_key').execute();
}

/** Locks all active admins. Otherwise two admins could deactivate each other at the same time. */
export async function lockActiveAdmins(tx: Db): Promise<string[]> {
	const rows = await lockRows(
		tx,
		tx.selectFrom('users').select('id').where('role', '=', 'admin').where('active', '=', 1).orderBy('id'),
	).execute();
	return rows.map((row) => row.id);
}
