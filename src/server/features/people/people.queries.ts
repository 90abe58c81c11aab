import { sql } from 'kysely';
import { lockRows } from '../../db/row-lock.ts';
import type { Db } from '../../db/schema.ts';
import { containsPattern, hasTrigrams, roughPattern } from '../../db/search.ts';

type Filter = 'all' | 'active' | 'deactivated' | 'admins';

export interface PeopleQuery {
	searchKey: string;
	filter: Filter;
	/** A broad search is answered faster by looking through the newest than by sorting everybody found. */
	isBroad: boolean;
	/** Last row of the page before. */
	after: { activeAt: string; id: string } | null;
	limit: number;
}

// To the letter as in the indexes of migration 0002.
const activeAt = sql<string>`coalesce(last_login_at, created_at)`;
const cardColumns = [
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

function matching(db: Db, query: Pick<PeopleQuery, 'searchKey' | 'filter' | 'isBroad'>) {
	const { searchKey, filter, isBroad } = query;
	let people = db.selectFrom('users');
	if (!isBroad && hasTrigrams(searchKey)) {
		people = people.where('id', 'in', (found) =>
			found.selectFrom('users_search').select('id').where('search_key', 'like', roughPattern(searchKey)),
		);
	}
	if (searchKey !== '') people = people.where('search_key', 'like', containsPattern(searchKey));
	if (filter === 'active') people = people.where('active', '=', 1);
	if (filter === 'deactivated') people = people.where('active', '=', 0);
	if (filter === 'admins') people = people.where('role', '=', 'admin');
	return people;
}

/** One page, newest activity first: the last sign-in, or the registration of whoever has not signed in yet. */
export function listPeople(db: Db, query: PeopleQuery) {
	return buildPeoplePage(db, query).execute();
}

/** The query behind {@link listPeople}; tests ask the databases how they would go about it. */
export function buildPeoplePage(db: Db, query: PeopleQuery) {
	let page = matching(db, query).select(cardColumns).orderBy(activeAt, 'desc').orderBy('id').limit(query.limit);
	const { after } = query;
	if (after !== null) {
		// The first condition lets the index begin at the place; the second leaves out who stood before it.
		page = page
			.where(activeAt, '<=', after.activeAt)
			.where((where) => where.or([where(activeAt, '<', after.activeAt), where('id', '>', after.id)]));
	}
	return page;
}

/** How many a search finds; stops counting at `atMost`. */
export async function countFound(
	db: Db,
	query: Pick<PeopleQuery, 'searchKey' | 'filter' | 'isBroad'>,
	atMost: number,
): Promise<number> {
	const row = await db
		.selectFrom(matching(db, query).select(sql<number>`1`.as('found')).limit(atMost).as('some'))
		.select((eb) => eb.fn.countAll<number>().as('count'))
		.executeTakeFirstOrThrow();
	return row.count;
}

/** How many there are, from the counters of migration 0002. */
export async function countAll(db: Db, filter: Filter): Promise<number> {
	let counts = db.selectFrom('users_counts');
	if (filter === 'active') counts = counts.where('active', '=', 1);
	if (filter === 'deactivated') counts = counts.where('active', '=', 0);
	if (filter === 'admins') counts = counts.where('role', '=', 'admin');
	const row = await counts.select((eb) => eb.fn.sum<number>('people').as('count')).executeTakeFirstOrThrow();
	return row.count;
}

/** Files and bytes of some people's own spaces, with their trash. */
export function sumSpaces(db: Db, userIds: string[]) {
	return db
		.selectFrom('spaces')
		.select(['owner_id as userId', 'file_count as fileCount', 'used_bytes as sizeBytes'])
		.where('owner_id', 'in', userIds)
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
	return db.selectFrom('users').select(cardColumns).where('id', '=', id).executeTakeFirst();
}

/** Everybody, by address. */
export function listEverybody(db: Db) {
	return db.selectFrom('users').select(['id', 'email', 'role', 'active']).orderBy('email_key').execute();
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
