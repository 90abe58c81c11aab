import { sql } from 'kysely';
import { lockRows } from '../../db/row-lock.ts';
import type { Db } from '../../db/schema.ts';
import { containsPattern } from '../../db/search.ts';

export interface PeopleQuery {
	searchKey: string;
	filter: 'all' | 'active' | 'deactivated' | 'admins';
	/** Last row of the page before. */
	after: { lastLoginAt: string; id: string } | null;
	limit: number;
}

function matching(db: Db, query: Pick<PeopleQuery, 'searchKey' | 'filter'>) {
	let people = db.selectFrom('users');
	if (query.searchKey !== '') people = people.where('email_key', 'like', containsPattern(query.searchKey));
	if (query.filter === 'active') people = people.where('active', '=', 1);
	if (query.filter === 'deactivated') people = people.where('active', '=', 0);
	if (query.filter === 'admins') people = people.where('role', '=', 'admin');
	return people;
}

/** One page, last sign-in first; whoever has not signed in yet comes last. */
export function listPeople(db: Db, query: PeopleQuery) {
	const lastLogin = sql<string>`coalesce(users.last_login_at, '')`;
	let page = matching(db, query)
		.select(['id', 'email', 'name', 'role', 'active', 'login_count as loginCount', 'last_login_at as lastLoginAt'])
		.orderBy(lastLogin, 'desc')
		.orderBy('id')
		.limit(query.limit);
	const { after } = query;
	if (after !== null) {
		page = page.where((where) =>
			where.or([
				where(lastLogin, '<', after.lastLoginAt),
				where.and([where(lastLogin, '=', after.lastLoginAt), where('id', '>', after.id)]),
			]),
		);
	}
	return page.execute();
}

export async function countPeople(db: Db, query: Pick<PeopleQuery, 'searchKey' | 'filter'>): Promise<number> {
	const row = await matching(db, query)
		.select((eb) => eb.fn.countAll<number>().as('count'))
		.executeTakeFirstOrThrow();
	return row.count;
}

/** Files and bytes of some people's own spaces. */
export function sumSpaces(db: Db, userIds: string[]) {
	return db
		.selectFrom('nodes')
		.select((eb) => [
			'owner_id as userId',
			eb.fn.countAll<number>().as('fileCount'),
			eb.fn.sum<number>('size_bytes').as('sizeBytes'),
		])
		.where('owner_id', 'in', userIds)
		.where('kind', '=', 'file')
		.where('deleted_at', 'is', null)
		.groupBy('owner_id')
		.execute();
}

/** Which of some people have orders, and whether one is Complete. */
export function summariseOrders(db: Db, userIds: string[]) {
	return db
		.selectFrom('orders')
		.select(['user_id as userId', sql<number>`max(case when status = 'Complete' then 1 else 0 end)`.as('isComplete')])
		.where('user_id', 'in', userIds)
		.groupBy('user_id')
		.execute();
}

export function findPerson(db: Db, id: string) {
	return db
		.selectFrom('users')
		.select(['id', 'email', 'name', 'role', 'active', 'login_count as loginCount', 'last_login_at as lastLoginAt'])
		.where('id', '=', id)
		.executeTakeFirst();
}

/** Locks all active admins, so that two of them cannot put each other out at the same moment. */
export async function lockActiveAdmins(tx: Db): Promise<string[]> {
	const rows = await lockRows(
		tx,
		tx.selectFrom('users').select('id').where('role', '=', 'admin').where('active', '=', 1).orderBy('id'),
	).execute();
	return rows.map((row) => row.id);
}

export async function updateActive(tx: Db, id: string, active: 0 | 1): Promise<void> {
	await tx.updateTable('users').set({ active }).where('id', '=', id).execute();
}
