import { type Expression, type ExpressionBuilder, type Insertable, type SqlBool, sql } from 'kysely';
import { type ComputedGroupId, isComputedGroup } from '#contract/accounts/groups.ts';
import { countRows, insertInto, isBeyond, prepareQuery } from '../../../platform/database/query-preparation.ts';
import type { Db, Schema } from '../../../platform/database/schema.ts';
import { containsPattern, hasTrigrams, roughPattern } from '../../../platform/database/search.ts';
import { lockRows } from '../../../platform/database/transaction.ts';
import { createRegistration } from '../../../platform/deps.ts';

type UserCondition = (where: ExpressionBuilder<Schema, 'users'>) => Expression<SqlBool>;

/** Whether a user may read the book; see book/access/access.queries.ts. */
export const bookOwners = createRegistration<UserCondition>('owners of the book');

const computedMembers: Readonly<Record<ComputedGroupId, UserCondition>> = {
	'all-members': (where) => where.and([where('users.active', '=', 1), where('users.role', '=', 'user')]),
	'book-owners': (where) => bookOwners()(where),
};

/** Returns a condition that is true for the members of a group. */
export function isMemberOf(groupId: string): UserCondition {
	if (isComputedGroup(groupId)) return computedMembers[groupId];
	return (where) =>
		where(
			'users.id',
			'in',
			where.selectFrom('group_members').select('group_members.user_id').where('group_members.group_id', '=', groupId),
		);
}

/** Selects the members of named and computed groups, as pairs of user and group. */
function memberships(db: Db) {
	const computed = (id: ComputedGroupId) =>
		db
			.selectFrom('users')
			.select(['users.id as userId', sql<string>`${sql.lit(id)}`.as('groupId')])
			.where(computedMembers[id]);
	return db
		.selectFrom('group_members')
		.select(['user_id as userId', 'group_id as groupId'])
		.unionAll(computed('all-members'))
		.unionAll(computed('book-owners'));
}

const groupIdsOfUser = prepareQuery((db, { userId }: { userId: string }) =>
	db
		.selectFrom(memberships(db).as('memberships'))
		.select('groupId')
		.where('userId', '=', userId)
		.where((where) =>
			where.exists(
				where
					.selectFrom('shares')
					.select(sql<number>`1`.as('found'))
					.whereRef('shares.recipient_id', '=', 'memberships.groupId'),
			),
		),
);

/** Finds the groups of a user that have shares or exclusions. */
export async function findGroupIdsOf(db: Db, userId: string): Promise<string[]> {
	const { rows } = await groupIdsOfUser(db, { userId });
	return rows.map(({ groupId }) => groupId);
}

export async function findMemberships(db: Db, userIds: string[]) {
	if (userIds.length === 0) return [];
	return db.selectFrom(memberships(db).as('memberships')).selectAll().where('userId', 'in', userIds).execute();
}

const groupColumns = ['id', 'name', 'name_key as nameKey', 'created_at as createdAt'] as const;

export function findGroup(db: Db, id: string) {
	return db.selectFrom('groups').select(groupColumns).where('id', '=', id).executeTakeFirst();
}

/** Locks a group against its deletion (`share`), or against any change, until the transaction ends. */
export function lockGroup(tx: Db, id: string, mode: 'share' | 'wait') {
	return lockRows(tx, tx.selectFrom('groups').select(groupColumns).where('id', '=', id), mode).executeTakeFirst();
}

function filterGroups(db: Db, nameKey: string) {
	const rows = db.selectFrom('groups');
	return nameKey === '' ? rows : rows.where('name_key', 'like', containsPattern(nameKey));
}

export function listGroups(db: Db, query: { nameKey: string; after: string | null; limit: number }) {
	return filterGroups(db, query.nameKey)
		.select(groupColumns)
		.where(isBeyond(['name_key'], '>', query.after === null ? null : [query.after]))
		.orderBy('name_key')
		.limit(query.limit)
		.execute();
}

export function countGroups(db: Db, nameKey: string): Promise<number> {
	return countRows(filterGroups(db, nameKey));
}

/** Counts the members of named groups; a group without members is missing. */
export function countMembers(db: Db, groupIds: string[]) {
	return db
		.selectFrom('group_members')
		.select(['group_id as groupId', (eb) => eb.fn.countAll<number>().as('count')])
		.where('group_id', 'in', groupIds)
		.groupBy('group_id')
		.execute();
}

export function countComputedMembers(db: Db, id: ComputedGroupId): Promise<number> {
	return countRows(db.selectFrom('users').where(computedMembers[id]));
}

export async function insertGroupIfNew(tx: Db, row: Insertable<Schema['groups']>): Promise<boolean> {
	const inserted = tx
		.insertInto('groups')
		.values(row)
		.onConflict((conflict) => conflict.column('name_key').doNothing());
	return (await inserted.returning('id').executeTakeFirst()) !== undefined;
}

export function findGroupByNameKey(db: Db, nameKey: string) {
	return db.selectFrom('groups').select('id').where('name_key', '=', nameKey).executeTakeFirst();
}

export async function renameGroup(tx: Db, id: string, name: string, nameKey: string): Promise<void> {
	await tx.updateTable('groups').set({ name, name_key: nameKey }).where('id', '=', id).execute();
}

/** Deletes a group with its members; a trigger deletes its shares and exclusions (migration 0022). */
export async function deleteGroup(tx: Db, id: string): Promise<void> {
	await tx.deleteFrom('groups').where('id', '=', id).execute();
}

interface MemberQuery {
	groupId: string;
	searchKey: string;
	/** Whether many users match. Then the members are scanned instead of the matches. */
	isBroad: boolean;
	limit: number;
}

const memberColumns = [
	'users.id',
	'users.email',
	'users.email_key',
	'users.name',
	'users.role',
	'users.active',
] as const;

function matchesSearch({ searchKey, isBroad }: MemberQuery): UserCondition {
	return (where) => {
		const matches = searchKey === '' ? where.lit(true) : where('users.search_key', 'like', containsPattern(searchKey));
		if (isBroad || !hasTrigrams(searchKey)) return matches;
		const found = where
			.selectFrom('users_search')
			.select('users_search.id')
			.where('users_search.search_key', 'like', roughPattern(searchKey));
		return where.and([matches, where('users.id', 'in', found)]);
	};
}

/** Lists members of a named group, the last added first. */
export function listMembers(db: Db, query: MemberQuery & { after: readonly [string, string] | null }) {
	return db
		.selectFrom('group_members')
		.innerJoin('users', 'users.id', 'group_members.user_id')
		.select([...memberColumns, 'added_at as addedAt'])
		.where('group_id', '=', query.groupId)
		.where(isBeyond(['added_at', 'user_id'], '<', query.after))
		.where(matchesSearch(query))
		.orderBy('added_at', 'desc')
		.orderBy('user_id', 'desc')
		.limit(query.limit)
		.execute();
}

/** Lists members of a computed group by email address. */
export function listComputedMembers(
	db: Db,
	query: MemberQuery & { groupId: ComputedGroupId; afterKey: string | null },
) {
	return db
		.selectFrom('users')
		.select(memberColumns)
		.where(computedMembers[query.groupId])
		.where(isBeyond(['email_key'], '>', query.afterKey === null ? null : [query.afterKey]))
		.where(matchesSearch(query))
		.orderBy('email_key')
		.limit(query.limit)
		.execute();
}

/** Finds users and prevents their deletion until the transaction ends. */
export function lockUsers(tx: Db, ids: string[]) {
	const users = tx.selectFrom('users').select(['id', 'email']).where('id', 'in', ids).orderBy('id');
	return lockRows(tx, users, 'share').execute();
}

export const insertMember = insertInto('group_members');

/** @returns those of the users who are members of a group */
export async function findMembersAmong(db: Db, groupId: string, userIds: string[]): Promise<string[]> {
	const rows = await db
		.selectFrom(memberships(db).as('memberships'))
		.select('userId')
		.where('groupId', '=', groupId)
		.where('userId', 'in', userIds)
		.execute();
	return rows.map(({ userId }) => userId);
}

export async function deleteMember(tx: Db, groupId: string, userId: string): Promise<void> {
	await tx.deleteFrom('group_members').where('group_id', '=', groupId).where('user_id', '=', userId).execute();
}
