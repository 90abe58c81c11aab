import { type Insertable, type SqlBool, sql } from 'kysely';
import { isBelow } from '../../../platform/database/folder-paths.ts';
import { prepareQuery } from '../../../platform/database/query-preparation.ts';
import type { Db, Schema } from '../../../platform/database/schema.ts';
import { newId } from '../../../platform/ids.ts';
import type { Reader } from '../../accounts/index.ts';

export type ShareRow = Awaited<ReturnType<typeof findShareRows>>[number];

/** Returns the ids whose shares and exclusions apply to a reader. */
export function recipientIdsOf({ id, groupIds }: Reader): string[] {
	return [id, ...groupIds];
}

const shareColumns = [
	'shares.id',
	'shares.node_id as nodeId',
	'shares.recipient_id as recipientId',
	'shares.recipient_kind as recipientKind',
	'groups.name as groupName',
	'shares.kind',
	'shares.shared_by as sharedBy',
	'shares.created_at as sharedAt',
] as const;

/** The list of nodes is filled up to one of these lengths, so that few different statements are prepared. */
const nodeListLengths = [1, 4, 16, 52, 104, 256, 1000];

function toParameters(name: string, ids: readonly string[], length = ids.length): Array<[name: string, id: string]> {
	return Array.from({ length }, (_, i) => [`${name}${i}`, ids[i] ?? '']);
}

const shareRowsOfPairs = prepareQuery((db, values: Record<string, string>) => {
	const listOf = (name: string) => {
		const rows = Object.keys(values).flatMap((key) => (key.startsWith(name) ? sql`(${values[key]})` : []));
		return sql`values ${sql.join(rows)}`;
	};
	// Joined in this order, which SQLite keeps. With two lists of ids, it might read all rows of a recipient.
	const pairs = sql<{ nodeId: string; recipientId: string }>`(
		with node_ids (id) as (${listOf('node')}), recipient_ids (id) as (${listOf('recipient')})
		select node_ids.id as "nodeId", recipient_ids.id as "recipientId" from node_ids cross join recipient_ids)`;
	return db
		.selectFrom(pairs.as('pairs'))
		.crossJoin('shares')
		.whereRef('shares.node_id', '=', 'pairs.nodeId')
		.whereRef('shares.recipient_id', '=', 'pairs.recipientId')
		.leftJoin('groups', 'groups.id', 'shares.recipient_id')
		.select(shareColumns)
		.orderBy('shares.created_at')
		.orderBy('shares.id');
});

/** Finds the rows of a reader and the reader's groups on nodes, the oldest first. */
export async function findShareRows(db: Db, reader: Reader, nodeIds: readonly string[]) {
	if (nodeIds.length === 0) return [];
	const length = nodeListLengths.find((size) => size >= nodeIds.length);
	const nodes = toParameters('node', nodeIds, length);
	const parameters = [...nodes, ...toParameters('recipient', recipientIdsOf(reader))];
	return (await shareRowsOfPairs(db, Object.fromEntries(parameters))).rows;
}

/** Finds the rows of all recipients on nodes, the oldest first. */
export function findAllShareRows(db: Db, nodeIds: readonly string[], kind?: 'user' | 'group') {
	let rows = db
		.selectFrom('shares')
		.leftJoin('groups', 'groups.id', 'shares.recipient_id')
		.select(shareColumns)
		.where('node_id', 'in', nodeIds)
		.orderBy('shares.created_at')
		.orderBy('shares.id');
	if (kind !== undefined) rows = rows.where('recipient_kind', '=', kind);
	return rows.execute();
}

export async function insertShareRows(tx: Db, rows: ReadonlyArray<Insertable<Schema['shares']>>): Promise<void> {
	if (rows.length > 0) await tx.insertInto('shares').values(rows).execute();
}

/** Deletes a recipient's share or exclusion on a node. */
export async function deleteShareRow(tx: Db, recipientId: string, nodeId: string): Promise<void> {
	await tx.deleteFrom('shares').where('recipient_id', '=', recipientId).where('node_id', '=', nodeId).execute();
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

/** Lists the rows of a reader and the reader's groups below a folder. */
export function listShareRowsBelow(db: Db, ownerId: string, path: string, reader: Reader) {
	return shareRowsBelow(db, ownerId, path)
		.where('shares.recipient_id', 'in', recipientIdsOf(reader))
		.select(['node_id as nodeId', 'recipient_id as recipientId', 'shares.kind'])
		.execute();
}

export async function deleteShareRowsBelow(tx: Db, ownerId: string, path: string, recipientId: string): Promise<void> {
	await tx
		.deleteFrom('shares')
		.where('id', 'in', shareRowsBelow(tx, ownerId, path).where('shares.recipient_id', '=', recipientId))
		.execute();
}

const recipientColumns = ['recipient_id as id', 'recipient_kind as kind'] as const;

/** Deletes all shares below a folder. @returns their recipients; one may occur more than once */
export function deleteSharesBelow(tx: Db, ownerId: string, path: string) {
	const shares = shareRowsBelow(tx, ownerId, path).where('shares.kind', '=', 'share');
	return tx.deleteFrom('shares').where('id', 'in', shares).returning(recipientColumns).execute();
}

/** Whether a reader or one of the groups has shares or exclusions below a folder. */
export async function hasShareRowsBelow(db: Db, ownerId: string, path: string, reader: Reader): Promise<boolean> {
	const rows = shareRowsBelow(db, ownerId, path).where('shares.recipient_id', 'in', recipientIdsOf(reader));
	return (await rows.limit(1).executeTakeFirst()) !== undefined;
}

/** Deletes all shares of a node. @returns the recipients */
export function deleteSharesOfNode(tx: Db, nodeId: string) {
	const shares = tx.deleteFrom('shares').where('node_id', '=', nodeId).where('kind', '=', 'share');
	return shares.returning(recipientColumns).execute();
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

/** Returns, for each folder, the totals of its children that are excluded for a reader. `paths`: of the children. */
export function sumExcludedByFolder(db: Db, reader: Reader, ownerId: string, paths: string[]) {
	const recipientIds = recipientIdsOf(reader);
	// A group's exclusion counts only where neither the reader nor another of the groups has a share.
	const isDecisive = sql<SqlBool>`(shares.recipient_id = ${reader.id} or not exists (select 1 from shares as others
		where others.node_id = shares.node_id and others.recipient_id in (${sql.join(recipientIds)}) and others.kind = 'share'))`;
	const excluded = db
		.selectFrom('shares')
		.select('shares.node_id')
		.distinct()
		.where('shares.recipient_id', 'in', recipientIds)
		.where('shares.kind', '=', 'exclusion')
		.where(isDecisive);
	return (
		db
			.selectFrom(excluded.as('excluded'))
			.crossJoin('nodes')
			.whereRef('nodes.id', '=', 'excluded.node_id')
			.select([
				'nodes.path',
				sql<number>`cast(sum(1 - nodes.kind_order) as integer)`.as('folders'),
				sql<number>`cast(sum(nodes.kind_order) as integer)`.as('files'),
				sql<number>`cast(sum(nodes.size_bytes) as bigint)`.as('sizeBytes'),
			])
			// The node's owner is compared, not the share's. Otherwise the database would use an index that finds all the
			// recipients' rows in the space, not only the exclusions.
			.where('nodes.owner_id', '=', ownerId)
			.where('nodes.deleted_at', 'is', null)
			.where('nodes.path', 'in', paths)
			.groupBy('nodes.path')
			.execute()
	);
}
