import { type Insertable, type SqlBool, sql } from 'kysely';
import { isBelow } from '../../../platform/database/folder-paths.ts';
import type { Db, Schema } from '../../../platform/database/schema.ts';
import { newId } from '../../../platform/ids.ts';

export type ShareRow = Awaited<ReturnType<typeof findShareRows>>[number];

export async function findShareRows(db: Db, recipientId: string, nodeIds: readonly string[]) {
	if (nodeIds.length === 0) return [];
	// Compared as pairs. With two conditions, SQLite would use the recipient's index and read all rows of the recipient.
	const pairs = sql.join(nodeIds.map((id) => sql`(${id}, ${recipientId})`));
	return db
		.selectFrom('shares')
		.select(['node_id as nodeId', 'kind', 'shared_by as sharedBy', 'created_at as sharedAt'])
		.where(sql<SqlBool>`(node_id, recipient_id) in (values ${pairs})`)
		.execute();
}

export async function insertShareRows(tx: Db, rows: ReadonlyArray<Insertable<Schema['shares']>>): Promise<void> {
	if (rows.length > 0) await tx.insertInto('shares').values(rows).execute();
}

/** Deletes a recipient's share or exclusion on a node. @returns its kind, or null when there was none */
export async function deleteShareRow(tx: Db, recipientId: string, nodeId: string) {
	const row = await tx
		.deleteFrom('shares')
		.where('recipient_id', '=', recipientId)
		.where('node_id', '=', nodeId)
		.returning('kind')
		.executeTakeFirst();
	return row?.kind ?? null;
}

/** Selects shares and exclusions below a folder; `path`: the path of the folder's children. */
function shareRowsBelow(db: Db, ownerId: string, path: string) {
	return db
		.selectFrom('shares')
		.crossJoin('nodes')
		.whereRef('nodes.id', '=', 'shares.node_id')
		.select('shares.id')
		.where('shares.owner_id', '=', ownerId)
		.where(isBelow(path, 'nodes.path'));
}

function recipientShareRowsBelow(db: Db, ownerId: string, path: string, recipientId: string) {
	return shareRowsBelow(db, ownerId, path).where('shares.recipient_id', '=', recipientId);
}

/** Lists the ids of the nodes below a folder on which a recipient has an exclusion. */
export async function listExclusionsBelow(db: Db, ownerId: string, path: string, recipientId: string) {
	const exclusions = recipientShareRowsBelow(db, ownerId, path, recipientId).where('shares.kind', '=', 'exclusion');
	const rows = await exclusions.select('node_id as nodeId').execute();
	return new Set(rows.map(({ nodeId }) => nodeId));
}

export async function deleteShareRowsBelow(tx: Db, ownerId: string, path: string, recipientId: string): Promise<void> {
	await tx
		.deleteFrom('shares')
		.where('id', 'in', recipientShareRowsBelow(tx, ownerId, path, recipientId))
		.execute();
}

/** Deletes all shares below a folder. @returns their recipients; a user may occur more than once */
export async function deleteSharesBelow(tx: Db, ownerId: string, path: string): Promise<string[]> {
	const shares = shareRowsBelow(tx, ownerId, path).where('shares.kind', '=', 'share');
	const rows = await tx.deleteFrom('shares').where('id', 'in', shares).returning('recipient_id as id').execute();
	return rows.map(({ id }) => id);
}

/** Whether a recipient has shares or exclusions below a folder. With `kind`, rows of the other kind do not count. */
export async function hasShareRowsBelow(
	db: Db,
	ownerId: string,
	path: string,
	recipientId: string,
	kind?: 'share' | 'exclusion',
): Promise<boolean> {
	let query = recipientShareRowsBelow(db, ownerId, path, recipientId).limit(1);
	if (kind !== undefined) query = query.where('shares.kind', '=', kind);
	return (await query.executeTakeFirst()) !== undefined;
}

/** Deletes all shares of a node. @returns the recipients' ids */
export async function deleteSharesOfNode(tx: Db, nodeId: string): Promise<string[]> {
	const shares = tx.deleteFrom('shares').where('node_id', '=', nodeId).where('kind', '=', 'share');
	const rows = await shares.returning('recipient_id as id').execute();
	return rows.map(({ id }) => id);
}

/** Copies the exclusions of a replaced file to the new file, whose sort key is `sortKey`. */
export async function copyExclusions(tx: Db, fromId: string, toId: string, sortKey: string): Promise<void> {
	const rows = await tx
		.selectFrom('shares')
		.selectAll()
		.where('node_id', '=', fromId)
		.where('kind', '=', 'exclusion')
		.execute();
	const copies = rows.map((row) => ({ ...row, id: newId(), node_id: toId, sort_key: sortKey }));
	await insertShareRows(tx, copies);
}

/** Updates the sort key stored with a node's shares and exclusions, by which lists are ordered. */
export async function updateShareSortKeys(tx: Db, nodeId: string, sortKey: string): Promise<void> {
	await tx.updateTable('shares').set({ sort_key: sortKey }).where('node_id', '=', nodeId).execute();
}

/** Returns, for each folder, the totals of its children that are excluded for a recipient. `paths`: of the children. */
export function sumExcludedByFolder(db: Db, recipientId: string, ownerId: string, paths: string[]) {
	return (
		db
			.selectFrom('shares')
			.crossJoin('nodes')
			.whereRef('nodes.id', '=', 'shares.node_id')
			.select([
				'nodes.path',
				sql<number>`cast(sum(1 - nodes.kind_order) as integer)`.as('folders'),
				sql<number>`cast(sum(nodes.kind_order) as integer)`.as('files'),
				sql<number>`cast(sum(nodes.size_bytes) as bigint)`.as('sizeBytes'),
			])
			.where('shares.recipient_id', '=', recipientId)
			// The node's owner is compared, not the share's. Otherwise the database would use an index that finds all the
			// recipient's rows in the space, not only the exclusions.
			.where('nodes.owner_id', '=', ownerId)
			.where('shares.kind', '=', 'exclusion')
			.where('nodes.deleted_at', 'is', null)
			.where('nodes.path', 'in', paths)
			.groupBy('nodes.path')
			.execute()
	);
}
