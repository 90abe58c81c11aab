import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { UserFilters, UserSort } from '#contract/accounts/administration.ts';
import { isComputedGroup } from '#contract/accounts/groups.ts';
import type { BookAccess } from '#contract/book/shelf.ts';
import { countRows } from '../../../platform/database/query-preparation.ts';
import type { Db, Schema } from '../../../platform/database/schema.ts';
import { acquireNamedLock } from '../../../platform/database/transaction.ts';
import { isMemberOf } from '../groups/groups.queries.ts';
import { matchesSearch, type UserSearch } from '../users/users.queries.ts';

export interface UserCondition extends UserSearch {
	status: UserFilters['status'];
	role: UserFilters['role'];
	book: UserFilters['book'];
	/** Whether few users can have this book access. Then their orders and grants are read first. */
	isBookRare: boolean;
	/** ID of a group; '' for all users. */
	group: string;
	/** Whether the group has few members. Then they are read first. */
	isGroupSmall: boolean;
}

export interface UserListQuery extends UserCondition {
	sort: UserSort;
	/** Last row of the previous page, with its value of the sorted column. */
	after: { key: string; id: string } | null;
	limit: number;
}

// Must match the expressions in the indexes of migrations 0002 and 0025 exactly.
const sortKeys = {
	recent: sql<string>`coalesce(last_login_at, created_at)`,
	newest: sql<string>`created_at`,
	email: sql<string>`email_key`,
};
// Must match the expression in the index of migration 0008 exactly.
const orderStatus = sql<string>`coalesce(orders.status, 'Pending')`;
const userColumns = [
	'id',
	'email',
	'email_key as emailKey',
	'name',
	'role',
	'active',
	'login_count as loginCount',
	'last_login_at as lastLoginAt',
	'created_at as createdAt',
	'totp_confirmed_at as twoFactorSince',
] as const;

function filterUsers(db: Db, condition: UserCondition) {
	const { status, role, book, group, isBookRare, isGroupSmall } = condition;
	let users = db.selectFrom('users').where(matchesSearch(condition));
	if (status !== 'all') users = users.where('active', '=', status === 'active' ? 1 : 0);
	if (role !== 'all') users = users.where('role', '=', role);
	if (book !== 'all') users = users.where((where) => hasAccess(where, book));
	if (isBookRare) users = users.where('id', 'in', (eb) => usersWithAccess(eb, book));
	if (group !== '')
		users = users.where(isGroupSmall || isComputedGroup(group) ? isMemberOf(group) : hasMembership(group));
	return users;
}

function hasAccess(where: ExpressionBuilder<Schema, 'users'>, access: BookAccess): Expression<SqlBool> {
	const orders = where
		.selectFrom('orders')
		.select(sql<number>`1`.as('found'))
		.whereRef('orders.user_id', '=', 'users.id');
	const isOpen = where.or([
		where.exists(orders.where('orders.status', '=', 'Complete')),
		where.exists(
			where
				.selectFrom('book_access')
				.select(sql<number>`1`.as('found'))
				.whereRef('book_access.user_id', '=', 'users.id'),
		),
	]);
	if (access === 'open') return isOpen;
	const hasOrder = where.exists(orders);
	return where.and([where.not(isOpen), access === 'pending' ? hasOrder : where.not(hasOrder)]);
}

/** Selects the IDs of all users who may have this access, from the indexes of orders and grants. */
function usersWithAccess(eb: ExpressionBuilder<Schema, 'users'>, access: UserFilters['book']) {
	const ordered = eb
		.selectFrom('orders')
		.select('orders.user_id as id')
		.where(orderStatus, '=', sql.lit(access === 'open' ? 'Complete' : 'Pending'))
		.where('orders.user_id', 'is not', null);
	return access === 'open' ? ordered.union(eb.selectFrom('book_access').select('book_access.user_id as id')) : ordered;
}

/** Like {@link isMemberOf}, but checked for each user in the order of the list. */
function hasMembership(groupId: string) {
	return (where: ExpressionBuilder<Schema, 'users'>) =>
		where.exists(
			where
				.selectFrom('group_members')
				.select(sql<number>`1`.as('found'))
				.where('group_members.group_id', '=', groupId)
				.whereRef('group_members.user_id', '=', 'users.id'),
		);
}

/** Whether a named group has at most `maxRows` members. */
export async function isGroupSmall(db: Db, groupId: string, maxRows: number): Promise<boolean> {
	const members = db
		.selectFrom('group_members')
		.select('user_id')
		.where('group_id', '=', groupId)
		.limit(maxRows + 1);
	return (await countRows(db.selectFrom(members.as('some')))) <= maxRows;
}

/** Whether at most `maxRows` orders and grants can give this access to the book. */
export async function isBookAccessRare(db: Db, access: UserFilters['book'], maxRows: number): Promise<boolean> {
	if (access === 'all' || access === 'none') return false;
	const { orders, complete } = await db
		.selectFrom('orders_totals')
		.select(['orders', 'complete'])
		.executeTakeFirstOrThrow();
	if (access === 'pending') return orders - complete <= maxRows;
	if (complete > maxRows) return false;
	const grants = db
		.selectFrom('book_access')
		.select('user_id')
		.limit(maxRows + 1);
	return complete + (await countRows(db.selectFrom(grants.as('some')))) <= maxRows;
}

/** Lists one page of users. */
export function listUsers(db: Db, query: UserListQuery) {
	return buildUserPageQuery(db, query).execute();
}

/** Builds the query of {@link listUsers}. Exported, so that tests can inspect the query plan. */
export function buildUserPageQuery(db: Db, query: UserListQuery) {
	const { sort, after } = query;
	const key = sortKeys[sort];
	const page = filterUsers(db, query).select(userColumns).limit(query.limit);
	if (sort === 'email') {
		const sorted = page.orderBy(key);
		return after === null ? sorted : sorted.where(key, '>', after.key);
	}
	const sorted = page.orderBy(key, 'desc').orderBy('id');
	if (after === null) return sorted;
	// The first condition lets the index start at the cursor. The second skips users of the previous pages.
	return sorted
		.where(key, '<=', after.key)
		.where((where) => where.or([where(key, '<', after.key), where('id', '>', after.id)]));
}

export function countMatchingUsers(db: Db, condition: UserCondition, atMost: number): Promise<number> {
	const matching = filterUsers(db, condition).select(sql<number>`1`.as('found')).limit(atMost);
	return countRows(db.selectFrom(matching.as('some')));
}

/** Counts all users with this status and role from the few rows that triggers update. */
export async function countUsers(
	db: Db,
	{ status = 'all', role = 'all' }: Partial<Pick<UserCondition, 'status' | 'role'>> = {},
): Promise<number> {
	let counts = db.selectFrom('users_counts');
	if (status !== 'all') counts = counts.where('active', '=', status === 'active' ? 1 : 0);
	if (role !== 'all') counts = counts.where('role', '=', role);
	const row = await counts.select((eb) => eb.fn.sum<number>('users').as('count')).executeTakeFirstOrThrow();
	return row.count;
}

/** Returns the use of each user's space, including the trash, and what gives access to the book. */
export function listUserFacts(db: Db, userIds: string[]) {
	return db
		.selectFrom('users')
		.leftJoin('spaces', 'spaces.owner_id', 'users.id')
		.leftJoin('book_access', 'book_access.user_id', 'users.id')
		.select(['users.id', 'file_count as fileCount', 'used_bytes as sizeBytes', 'book_access.user_id as grantedTo'])
		.select((eb) =>
			eb
				.selectFrom('orders')
				.select(sql<number>`max(case when status = 'Complete' then 1 else 0 end)`.as('isComplete'))
				.whereRef('orders.user_id', '=', 'users.id')
				.as('hasCompleteOrder'),
		)
		.where('users.id', 'in', userIds)
		.execute();
}

export function listUserSummaries(db: Db, ids: readonly string[]) {
	return db.selectFrom('users').select(userColumns).where('id', 'in', ids).execute();
}

export function listAllUsers(db: Db) {
	return db.selectFrom('users').select(['id', 'email', 'role', 'active']).orderBy('email_key').execute();
}

/**
 * Returns the active admins, and makes other changes of roles, activations and deletions wait until the transaction ends.
 * Otherwise two admins could deactivate each other at the same time. Called before any user is locked.
 */
export async function lockActiveAdmins(tx: Db): Promise<string[]> {
	await acquireNamedLock(tx, 'active-admins');
	const admins = tx.selectFrom('users').select('id').where('role', '=', 'admin').where('active', '=', 1);
	const rows = await admins.orderBy('id').execute();
	return rows.map((row) => row.id);
}
