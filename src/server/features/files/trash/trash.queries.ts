import type { Db } from '../../../platform/database/schema.ts';
import { containsPattern, roughPattern } from '../../../platform/database/search.ts';

/** Part of a trash. */
export interface TrashSearch {
	/** '' finds all. */
	searchKey: string;
	/** Few names hold it: the trigrams know which. */
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

/** What was deleted itself and lies in the trash, newest first. */
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

/** How many things lie there; all of them without a search. */
export async function countTrash(db: Db, ownerId: string, search: TrashSearch = wholeTrash): Promise<number> {
	const row = await trashedNodes(db, ownerId, search)
		.select((eb) => eb.fn.countAll<number>().as('count'))
		.executeTakeFirstOrThrow();
	return row.count;
}

/** Some nodes whose time in the trash is over, in any space. */
export function listExpiredNodes(db: Db, before: string, limit: number) {
	return db
		.selectFrom('nodes')
		.select(['id', 'owner_id as ownerId'])
		.where('deleted_at', '<', before)
		.where('state', 'is', null)
		.limit(limit)
		.execute();
}

/** Names of folders by their realPaths, deleted ones too. */
export async function findFolderNames(db: Db, ownerId: string, realPaths: string[]) {
	if (realPaths.length === 0) return [];
	return db
		.selectFrom('nodes')
		.select(['real_path as realPath', 'name'])
		.where('owner_id', '=', ownerId)
		.where('real_path', 'in', realPaths)
		.execute();
}

/** Some of what a space's trash holds since a moment or longer is on its way out. @returns the ids */
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

/** Those of some nodes that still lie in the trash since before a moment are on their way out. @returns their ids */
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
