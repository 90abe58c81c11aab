import { type Insertable, sql } from 'kysely';
import { type ComputedGroupId, isComputedGroup } from '#contract/accounts/groups.ts';
import { countRows, insertInto, pageAfter, prepareQuery } from '../../../platform/database/query-preparation.ts';
import type { Db, Schema } from '../../../platform/database/schema.ts';
import { containsPattern } from '../../../platform/database/search.ts';
import { testBuyerId } from '../../../platform/database/test-purchase.ts';
import { lockRows } from '../../../platform/database/transaction.ts';
import { createRegistration } from '../../../platform/deps.ts';
import { matchesSearch, type UserCondition, type UserSearch } from '../users/users.queries.ts';

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

const memberCount = sql<number>`(select count(*) from group_members where group_id = groups.id)`.as('memberCount');
const groupColumns = ['id', 'name', 'created_at as createdAt', memberCount] as const;

export function findGroup(db: Db, id: string) {
	return db.selectFrom('groups').select(groupColumns).where('id', '=', id).executeTakeFirst();
}

/** Locks a group against its deletion (`share`), or against any change, until the transaction ends. */
export function lockGroup(tx: Db, id: string, mode: 'share' | 'wait') {
	return lockRows(tx, tx.selectFrom('groups').select('name').where('id', '=', id), mode).executeTakeFirst();
}

function filterGroups(db: Db, nameKey: string) {
	const rows = db.selectFrom('groups');
	return nameKey === '' ? rows : rows.where('name_key', 'like', containsPattern(nameKey));
}

export function listGroups(db: Db, query: { nameKey: string; after: string | null; limit: number }) {
	return filterGroups(db, query.nameKey)
		.select([...groupColumns, 'name_key as nameKey'])
		.$call(pageAfter(query.after === null ? null : [query.after], ['name_key'], 'asc', query.limit))
		.execute();
}

export function countGroups(db: Db, nameKey: string): Promise<number> {
	return countRows(filterGroups(db, nameKey));
}

/** The account of the test purchase reads what is shared with a computed group, but is not listed or counted. */
function selectComputedMembers(db: Db, id: ComputedGroupId) {
	return db.selectFrom('users').where(computedMembers[id]).where('users.id', 'not in', testBuyerId);
}

export function countComputedMembers(db: Db, id: ComputedGroupId): Promise<number> {
	return countRows(selectComputedMembers(db, id));
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

interface MemberQuery extends UserSearch {
	groupId: string;
	limit: number;
}

const memberColumns = ['users.id', 'email', 'email_key', 'users.name', 'role', 'active'] as const;

/** Lists members of a named group, the last added first. */
export function listMembers(db: Db, query: MemberQuery & { after: readonly [string, string] | null }) {
	return db
		.selectFrom('group_members')
		.innerJoin('users', 'users.id', 'group_members.user_id')
		.select([...memberColumns, 'added_at as addedAt'])
		.where('group_id', '=', query.groupId)
		.where(matchesSearch(query))
		.$call(pageAfter(query.after, ['added_at', 'user_id'], 'desc', query.limit))
		.execute();
}

/** Lists members of a computed group by email address. */
export function listComputedMembers(
	db: Db,
	query: MemberQuery & { groupId: ComputedGroupId; afterKey: string | null },
) {
	return selectComputedMembers(db, query.groupId)
		.select(memberColumns)
		.where(matchesSearch(query))
		.$call(pageAfter(query.afterKey === null ? null : [query.afterKey], ['email_key'], 'asc', query.limit))
		.execute();
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
