import type { Selectable, SelectQueryBuilder } from 'kysely';
import { insertManyInto, isBeyond } from '../../platform/database/query-preparation.ts';
import type { Db, Schema } from '../../platform/database/schema.ts';

export const insertAuditEntries = insertManyInto('audit');

export async function hasAuditEntry(db: Db, actorId: string, action: string, since: string): Promise<boolean> {
	const entry = db
		.selectFrom('audit')
		.select('id')
		.where('actor_id', '=', actorId)
		.where('action', '=', action)
		.where('at', '>=', since);
	return (await entry.limit(1).executeTakeFirst()) !== undefined;
}

export interface AuditQuery {
	/** Account ids of one email address, as actor or subject; null for all users. */
	userIds: readonly string[] | null;
	/** Null for all actions. */
	actions: readonly string[] | null;
	/** The time range: `from` is inclusive, `before` exclusive; null for no bound. */
	from: string | null;
	before: string | null;
	/** Time and id of the last row of the previous page. */
	after: readonly [string, string] | null;
	limit: number;
}

export type AuditRow = Selectable<Schema['audit']>;

type Rows = SelectQueryBuilder<Schema, 'audit', AuditRow>;

/** Maximum SELECTs in a union; both databases plan this many quickly. SQLite allows 500 (sqlite.org/limits.html). */
const branchesMax = 100;

/**
 * Builds the query of one page, newest first; null when no entry can match. The query is a union: one SELECT for each
 * id as the actor and each action, and one for each id as the subject. Each SELECT reads an index in order and stops at
 * the limit, whereas a single SELECT with OR and IN would scan or sort a million rows. If the union would have too many
 * SELECTs, they have lists of ids and actions instead, and sort their rows.
 */
export function buildAuditPageQuery(db: Db, query: AuditQuery) {
	const { userIds, actions } = query;
	if (userIds?.length === 0 || actions?.length === 0) return null;
	const singleValueBranches = buildBranches(db, query, (values) => values.map((value) => [value]));
	const branches =
		singleValueBranches.length <= branchesMax ? singleValueBranches : buildBranches(db, query, (values) => [values]);
	const [first, ...others] = branches.map((branch) => applyRange(branch, query));
	if (first === undefined) return null;
	if (others.length === 0) return first;
	const asSubquery = (rows: Rows) => db.selectFrom(rows.as('branch')).selectAll();
	const merged = others.reduce((union, branch) => union.unionAll(asSubquery(branch)), asSubquery(first));
	return db.selectFrom(merged.as('found')).selectAll().orderBy('at', 'desc').orderBy('id', 'desc').limit(query.limit);
}

type Split = (values: readonly string[]) => ReadonlyArray<readonly string[]>;

/** Builds SELECTs for entries with the users as actor and as subject. `split` returns the values of each SELECT. */
function buildBranches(db: Db, { userIds, actions }: AuditQuery, split: Split): Rows[] {
	const rows = db.selectFrom('audit').selectAll('audit');
	const byAction = (entries: Rows) =>
		actions === null ? [entries] : split(actions).map((actionList) => entries.where('action', 'in', actionList));
	if (userIds === null) return byAction(rows);
	const byActor = split(userIds).flatMap((ids) => byAction(rows.where('actor_id', 'in', ids)));
	const bySubject = split(userIds).map((ids) => {
		const entries = rows
			.where('subject_id', 'in', ids)
			.where((where) => where.or([where('actor_id', 'is', null), where('actor_id', 'not in', userIds)]));
		// The index by subject does not contain the action, so one SELECT is enough for all actions.
		return actions === null ? entries : entries.where('action', 'in', actions);
	});
	return [...byActor, ...bySubject];
}

function applyRange(rows: Rows, { from, before, after, limit }: AuditQuery): Rows {
	let page = rows.orderBy('at', 'desc').orderBy('id', 'desc').limit(limit);
	page = page.where(isBeyond(['at', 'id'], '<', after));
	if (from !== null) page = page.where('at', '>=', from);
	// Omitted after a cursor: all further rows are older, and a second upper bound would make the index less effective.
	if (before !== null && after === null) page = page.where('at', '<', before);
	return page;
}

/** Maximum number of deleted accounts of one address to search for, because their ids are parameters of a query. */
const deletedUserIdsMax = 1000;

/** Lists the ids of the current and the deleted accounts of an address. */
export async function listUserIdsByEmailKey(db: Db, emailKey: string): Promise<string[]> {
	const current = await db.selectFrom('users').select('id').where('email_key', '=', emailKey).execute();
	const deleted = await db
		.selectFrom('audit')
		.select('subject_id as id')
		.where('deleted_email_key', '=', emailKey)
		.orderBy('at', 'desc')
		.orderBy('id', 'desc')
		.limit(deletedUserIdsMax)
		.execute();
	return [...new Set([...current, ...deleted].map(({ id }) => id))];
}

export function listUserEmails(db: Db, userIds: string[]) {
	return db.selectFrom('users').select(['id', 'email']).where('id', 'in', userIds).execute();
}

export function listOrderEmails(db: Db, orderIds: string[]) {
	return db.selectFrom('orders').select(['id', 'email']).where('id', 'in', orderIds).execute();
}

export function listNodeOwners(db: Db, nodeIds: string[]) {
	return db.selectFrom('nodes').select(['id', 'owner_id as ownerId']).where('id', 'in', nodeIds).execute();
}
