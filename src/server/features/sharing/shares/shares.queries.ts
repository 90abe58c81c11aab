import { type Insertable, type SqlBool, sql } from 'kysely';
import type { Db, Schema } from '../../../platform/database/schema.ts';
import { newId } from '../../../platform/ids.ts';
import { isBelow } from '../../files/index.ts';

export type ShareRow = Awaited<ReturnType<typeof findShareRows>>[number];

/** A person's entries on some nodes. */
export async function findShareRows(db: Db, recipientId: string, nodeIds: readonly string[]) {
	if (nodeIds.length === 0) return [];
	// In pairs: of two conditions SQLite would take the person's alone to an index, and read all that they have.
	const pairs = sql.join(nodeIds.map((id) => sql`(${id}, ${recipientId})`));
	return db
		.selectFrom('grants')
		.select(['node_id as nodeId', 'kind', 'granted_by as sharedBy', 'created_at as sharedAt'])
		.where(sql<SqlBool>`(node_id, recipient_id) in (values ${pairs})`)
		.execute();
}

export async function insertShareRow(tx: Db, row: Insertable<Schema['grants']>): Promise<void> {
	await tx.insertInto('grants').values(row).execute();
}

/** Takes a person's entry on a node away. @returns its kind, or null when there was none */
export async function deleteShareRow(
	tx: Db,
	recipientId: string,
	nodeId: string,
): Promise<'share' | 'exclusion' | null> {
	const row = await tx
		.deleteFrom('grants')
		.where('recipient_id', '=', recipientId)
		.where('node_id', '=', nodeId)
		.returning('kind')
		.executeTakeFirst();
	return row?.kind ?? null;
}

/**
 * What lies below a folder, found from the entries: there are fewer of them than of nodes, and a cross join is one that
 * SQLite does not turn round. `path` of what lies in it.
 */
function shareRowsBelow(db: Db, ownerId: string, path: string) {
	return db
		.selectFrom('grants')
		.crossJoin('nodes')
		.whereRef('nodes.id', '=', 'grants.node_id')
		.select('grants.id')
		.where('grants.owner_id', '=', ownerId)
		.where(isBelow(path, 'nodes.path'));
}

function recipientShareRowsBelow(db: Db, ownerId: string, path: string, recipientId: string) {
	return shareRowsBelow(db, ownerId, path).where('grants.recipient_id', '=', recipientId);
}

/** A person's entries below a folder, by node. */
export async function listShareKindsBelow(db: Db, ownerId: string, path: string, recipientId: string) {
	const rows = await recipientShareRowsBelow(db, ownerId, path, recipientId)
		.select(['node_id as nodeId', 'grants.kind'])
		.execute();
	return new Map(rows.map(({ nodeId, kind }) => [nodeId, kind]));
}

/** Whatever a person has below a folder. */
export async function deleteShareRowsBelow(tx: Db, ownerId: string, path: string, recipientId: string): Promise<void> {
	await tx
		.deleteFrom('grants')
		.where('id', 'in', recipientShareRowsBelow(tx, ownerId, path, recipientId))
		.execute();
}

/** Everybody's shares below a folder. @returns whose they were; somebody may be named more than once */
export async function deleteSharesBelow(tx: Db, ownerId: string, path: string): Promise<string[]> {
	const shares = shareRowsBelow(tx, ownerId, path).where('grants.kind', '=', 'share');
	const rows = await tx.deleteFrom('grants').where('id', 'in', shares).returning('recipient_id as id').execute();
	return rows.map(({ id }) => id);
}

/** `kind`: only such entries. */
export async function hasShareRowsBelow(
	db: Db,
	ownerId: string,
	path: string,
	recipientId: string,
	kind?: 'share' | 'exclusion',
): Promise<boolean> {
	let query = recipientShareRowsBelow(db, ownerId, path, recipientId).limit(1);
	if (kind !== undefined) query = query.where('grants.kind', '=', kind);
	return (await query.executeTakeFirst()) !== undefined;
}

/** Everybody's shares of a node. @returns whose they were */
export async function deleteSharesOfNode(tx: Db, nodeId: string): Promise<string[]> {
	const shares = tx.deleteFrom('grants').where('node_id', '=', nodeId).where('kind', '=', 'share');
	const rows = await shares.returning('recipient_id as id').execute();
	return rows.map(({ id }) => id);
}

/** Whoever an old file was left out for, the one in its place is left out for too. `sortKey`: of the new one. */
export async function copyExclusions(tx: Db, fromId: string, toId: string, sortKey: string): Promise<void> {
	const rows = await tx
		.selectFrom('grants')
		.selectAll()
		.where('node_id', '=', fromId)
		.where('kind', '=', 'exclusion')
		.execute();
	for (const row of rows) await insertShareRow(tx, { ...row, id: newId(), node_id: toId, sort_key: sortKey });
}

/** A person's shares keep the order of lists. */
export async function updateShareSortKeys(tx: Db, nodeId: string, sortKey: string): Promise<void> {
	await tx.updateTable('grants').set({ sort_key: sortKey }).where('node_id', '=', nodeId).execute();
}

/**
 * What is left out for a person right in some folders of a space, summed up by folder, found from their exclusions.
 * `paths` of what lies in them.
 */
export function sumExcludedByFolder(db: Db, recipientId: string, ownerId: string, paths: string[]) {
	return (
		db
			.selectFrom('grants')
			.crossJoin('nodes')
			.whereRef('nodes.id', '=', 'grants.node_id')
			.select([
				'nodes.path',
				sql<number>`cast(sum(1 - nodes.kind_order) as integer)`.as('folders'),
				sql<number>`cast(sum(nodes.kind_order) as integer)`.as('files'),
				sql<number>`cast(sum(nodes.size_bytes) as bigint)`.as('sizeBytes'),
			])
			.where('grants.recipient_id', '=', recipientId)
			// Of the node, not of the entry: so the index finds this person's exclusions, and not all they have in the space.
			.where('nodes.owner_id', '=', ownerId)
			.where('grants.kind', '=', 'exclusion')
			.where('nodes.deleted_at', 'is', null)
			.where('nodes.path', 'in', paths)
			.groupBy('nodes.path')
			.execute()
	);
}
