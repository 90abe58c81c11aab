import { countRows } from '../../../platform/database/query-preparation.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { containsPattern, roughPattern } from '../../../platform/database/search.ts';

/** Selects a part of a trash. */
export interface TrashSearch {
	/** '' matches everything. */
	searchKey: string;
	/** Few names match, so the trigram index is used. */
	isRare: boolean;
}

const wholeTrash: TrashSearch = { searchKey: '', isRare: false };

function trashedNodes(db: Db, ownerId: string, { searchKey, isRare }: TrashSearch) {
	let nodes = db
		.selectFrom('nodes')
		.where('owner_id', '=', ownerId)
		.where('deleted_at', 'is not', null)
		.where('state', 'is', null);
	if (searchKey !== '') nodes = nodes.where('name_key', 'like', containsPattern(searchKey));
	if (!isRare) return nodes;
	return nodes.where('id', 'in', (found) =>
		found.selectFrom('nodes_search').select('nodes_search.id').where('name_key', 'like', roughPattern(searchKey)),
	);
}

/** Lists the deleted items in the trash (not the contents of deleted folders), newest first. */
export function listTrash(
	db: Db,
	ownerId: string,
	search: TrashSearch,
	after: { deletedAt: string; id: string } | null,
	limit: number,
) {
	let page = trashedNodes(db, ownerId, search)
		.selectAll()
		.orderBy('deleted_at', 'desc')
		.orderBy('id', 'desc')
		.limit(limit);
	if (after !== null) {
		page = page.where((where) =>
			where(where.refTuple('deleted_at', 'id'), '<', where.tuple(after.deletedAt, after.id)),
		);
	}
	return page.execute();
}

/** Counts the items in the trash; without a search, all of them. */
export function countTrash(db: Db, ownerId: string, search: TrashSearch = wholeTrash): Promise<number> {
	return countRows(trashedNodes(db, ownerId, search));
}

/** Lists some nodes, in any space, whose time in the trash is over. */
export function listExpiredNodes(db: Db, before: string, limit: number) {
	return db
		.selectFrom('nodes')
		.select(['id', 'owner_id as ownerId'])
		.where('deleted_at', '<', before)
		.where('state', 'is', null)
		.limit(limit)
		.execute();
}

/** Returns the names of folders by their realPaths, including deleted folders. */
export async function findFolderNames(db: Db, ownerId: string, realPaths: string[]) {
	if (realPaths.length === 0) return [];
	return db
		.selectFrom('nodes')
		.select(['real_path as realPath', 'name'])
		.where('owner_id', '=', ownerId)
		.where('real_path', 'in', realPaths)
		.execute();
}

/** Marks for purge some items that have been in a space's trash since `until` or longer. @returns their ids */
export async function markForPurge(tx: Db, ownerId: string, until: string, limit: number): Promise<string[]> {
	const rows = await tx
		.updateTable('nodes')
		.set({ state: 'leaving' })
		.where('id', 'in', (eb) =>
			eb
				.selectFrom('nodes')
				.select('nodes.id')
				.where('owner_id', '=', ownerId)
				.where('deleted_at', '<=', until)
				.where('state', 'is', null)
				.limit(limit),
		)
		.returning('id')
		.execute();
	return rows.map((row) => row.id);
}

/** Marks for purge those of some nodes that have been in the trash since before a time. @returns their ids */
export async function markExpiredForPurge(tx: Db, ids: string[], before: string): Promise<string[]> {
	const rows = await tx
		.updateTable('nodes')
		.set({ state: 'leaving' })
		.where('id', 'in', ids)
		.where('deleted_at', '<', before)
		.where('state', 'is', null)
		.returning('id')
		.execute();
	return rows.map((row) => row.id);
}
