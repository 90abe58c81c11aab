import type { Insertable, Selectable, SelectQueryBuilder } from 'kysely';
import type { Db, Schema } from '../../platform/database/schema.ts';

export async function insertAuditEntry(db: Db, entry: Insertable<Schema['audit']>): Promise<void> {
	await db.insertInto('audit').values(entry).execute();
}

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
	/** Ids of one person, as actor or subject; null for everybody. */
	userIds: readonly string[] | null;
	/** Null for all. */
	actions: readonly string[] | null;
	/** Moments: from this one on, and before that one. */
	from: string | null;
	before: string | null;
	/** Last row of the page before. */
	after: { at: string; id: string } | null;
	limit: number;
}

export type AuditRow = Selectable<Schema['audit']>;

type Rows = SelectQueryBuilder<Schema, 'audit', AuditRow>;

/** Terms of a union that both databases plan gladly; SQLite refuses more than 500 (sqlite.org/limits.html). */
const branchesMax = 100;

/**
 * One page, newest first. Each side of each id, and each action, is walked by an index of its own and stops at the limit;
 * only what they found is merged. One condition with OR and IN would sort or scan a million rows instead. Only where an
 * address had more accounts than a union can hold, their entries are looked up in lists, by the same indexes, and sorted.
 */
export function buildAuditPageQuery(db: Db, query: AuditQuery) {
	const { userIds: personIds, actions } = query;
	if (personIds?.length === 0 || actions?.length === 0) return null;
	const each = buildBranches(db, query, (values) => values.map((value) => [value]));
	const branches = each.length <= branchesMax ? each : buildBranches(db, query, (values) => [values]);
	const [first, ...others] = branches.map((branch) => applyRange(branch, query));
	if (first === undefined) return null;
	if (others.length === 0) return first;
	const wrapped = (rows: Rows) => db.selectFrom(rows.as('branch')).selectAll();
	const all = others.reduce((union, branch) => union.unionAll(wrapped(branch)), wrapped(first));
	return db.selectFrom(all.as('found')).selectAll().orderBy('at', 'desc').orderBy('id', 'desc').limit(query.limit);
}

type Split = (values: readonly string[]) => ReadonlyArray<readonly string[]>;

/** What the person did, and what was done to them by others; ids and actions one by one or in lists. */
function buildBranches(db: Db, { userIds: personIds, actions }: AuditQuery, split: Split): Rows[] {
	const rows = db.selectFrom('audit').selectAll('audit');
	const byAction = (side: Rows) =>
		actions === null ? [side] : split(actions).map((some) => side.where('action', 'in', some));
	if (personIds === null) return byAction(rows);
	const byActor = split(personIds).flatMap((ids) => byAction(rows.where('actor_id', 'in', ids)));
	const bySubject = split(personIds).map((ids) => {
		const side = rows
			.where('subject_id', 'in', ids)
			.where((where) => where.or([where('actor_id', 'is', null), where('actor_id', 'not in', personIds)]));
		// The index of this side has no action: one walk is enough for all.
		return actions === null ? side : side.where('action', 'in', actions);
	});
	return [...byActor, ...bySubject];
}

function applyRange(rows: Rows, { from, before, after, limit }: AuditQuery): Rows {
	let page = rows.orderBy('at', 'desc').orderBy('id', 'desc').limit(limit);
	if (from !== null) page = page.where('at', '>=', from);
	// The cursor is before the end already, and a second bound would keep the index from using the first.
	if (before !== null && after === null) page = page.where('at', '<', before);
	if (after !== null) {
		page = page.where((where) => where(where.refTuple('at', 'id'), '<', where.tuple(after.at, after.id)));
	}
	return page;
}

/** Of an address that was deleted and registered again and again, the newest: they are parameters of a query. */
const deletedUserIdsMax = 1000;

/** Ids that an address has now, or had until it was deleted. */
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

/** Today's addresses of some people. */
export function listUserEmails(db: Db, userIds: string[]) {
	return db.selectFrom('users').select(['id', 'email']).where('id', 'in', userIds).execute();
}

export function listOrderEmails(db: Db, orderIds: string[]) {
	return db.selectFrom('orders').select(['id', 'email']).where('id', 'in', orderIds).execute();
}

/** Owners of some files and folders, deleted ones too. */
export function listNodeOwners(db: Db, nodeIds: string[]) {
	return db.selectFrom('nodes').select(['id', 'owner_id as ownerId']).where('id', 'in', nodeIds).execute();
}
