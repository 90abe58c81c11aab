import { type Insertable, type SelectQueryBuilder, sql } from 'kysely';
import type { Db, Schema } from '../../db/schema.ts';
import { containsPattern } from '../../db/search.ts';

export async function insertAuditEntry(db: Db, entry: Insertable<Schema['audit']>): Promise<void> {
	await db.insertInto('audit').values(entry).execute();
}

export interface AuditQuery {
	/** Ids of one person, as actor or subject; null for everybody. */
	personIds: readonly string[] | null;
	/** Null for all. */
	actions: readonly string[] | null;
	/** Moments: from this one on, and before that one. */
	from: string | null;
	before: string | null;
	/** Last row of the page before. */
	after: { at: string; id: string } | null;
	limit: number;
}

export type AuditRow = Schema['audit'];

type Rows = SelectQueryBuilder<Schema, 'audit', AuditRow>;

/**
 * One page, newest first. Each combination of side and action is walked by an index of its own and stops at the limit;
 * only what they found is merged. One condition with OR and IN would sort or scan a million rows instead.
 */
export function listAudit(db: Db, query: AuditQuery) {
	const branches = sidesOf(db, query).flatMap((side) =>
		query.actions === null ? [side] : query.actions.map((action) => side.where('action', '=', action)),
	);
	const [first, ...others] = branches.map((branch) => within(branch, query));
	if (first === undefined) return null;
	if (others.length === 0) return first;
	const wrapped = (rows: Rows) => db.selectFrom(rows.as('branch')).selectAll();
	const all = others.reduce((union, branch) => union.unionAll(wrapped(branch)), wrapped(first));
	return db.selectFrom(all.as('found')).selectAll().orderBy('at', 'desc').orderBy('id', 'desc').limit(query.limit);
}

/** What somebody did, and what was done to them by others. */
function sidesOf(db: Db, { personIds }: AuditQuery): Rows[] {
	const rows = db.selectFrom('audit').selectAll('audit');
	if (personIds === null) return [rows];
	return personIds.flatMap((id) => [
		rows.where('actor_id', '=', id),
		rows
			.where('subject_id', '=', id)
			.where((where) => where.or([where('actor_id', 'is', null), where('actor_id', 'not in', personIds)])),
	]);
}

function within(rows: Rows, { from, before, after, limit }: AuditQuery): Rows {
	let page = rows.orderBy('at', 'desc').orderBy('id', 'desc').limit(limit);
	if (from !== null) page = page.where('at', '>=', from);
	// The place of the page before lies before the end already, and a second bound would hide the first from the index.
	if (before !== null && after === null) page = page.where('at', '<', before);
	if (after !== null) {
		page = page.where((where) => where(where.refTuple('at', 'id'), '<', where.tuple(after.at, after.id)));
	}
	return page;
}

/** Ids that an address has now, or had until it was deleted. */
export async function findPersonIds(db: Db, emailKey: string): Promise<string[]> {
	const now = await db.selectFrom('users').select('id').where('email_key', '=', emailKey).execute();
	const quoted = containsPattern(`"email":${JSON.stringify(emailKey)}`);
	const gone = await db
		.selectFrom('audit')
		.select('subject_id as id')
		.where('action', '=', 'user-deleted')
		.where(sql<string>`lower(detail)`, 'like', quoted)
		.execute();
	return [...new Set([...now, ...gone].map(({ id }) => id))];
}

/** Today's addresses of some people. */
export function findEmails(db: Db, userIds: string[]) {
	return db.selectFrom('users').select(['id', 'email']).where('id', 'in', userIds).execute();
}

/** Buyers' addresses of some orders. */
export function findOrderEmails(db: Db, orderIds: string[]) {
	return db.selectFrom('orders').select(['id', 'email']).where('id', 'in', orderIds).execute();
}

/** Owners of some files and folders, deleted ones too. */
export function findOwners(db: Db, nodeIds: string[]) {
	return db.selectFrom('nodes').select(['id', 'owner_id as ownerId']).where('id', 'in', nodeIds).execute();
}
