import { countRows, pageAfter } from '../../../platform/database/query-preparation.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { containsPattern, roughPattern } from '../../../platform/database/search.ts';

interface TrashSearch {
	/** '' matches everything. */
	searchKey: string;
	/** Whether few names match, so that the trigram index is used. */
	isRare: boolean;
}

function trashedNodes(db: Db, ownerId: string, { searchKey, isRare }: TrashSearch) {
	let nodes = db
		.selectFrom('nodes')
		.where('owner_id', '=', ownerId)
		.where('deleted_at', 'is not', null)
		.where('state', 'is', null);
	if (searchKey !== '') nodes = nodes.where('name_key', 'like', containsPattern(searchKey));
	if (!isRare) return nodes;
	return nodes.where('id', 'in', (eb) =>
		eb.selectFrom('nodes_search').select('nodes_search.id').where('name_key', 'like', roughPattern(searchKey)),
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
	return trashedNodes(db, ownerId, search)
		.selectAll()
		.$call(pageAfter(after && [after.deletedAt, after.id], ['deleted_at', 'id'], 'desc', limit))
		.execute();
}

export function countTrash(db: Db, ownerId: string, search?: TrashSearch): Promise<number> {
	return countRows(trashedNodes(db, ownerId, search ?? { searchKey: '', isRare: false }));
}

/** Lists the owners of spaces with items that were deleted at `until` or earlier. */
export async function listOwnersOfTrash(db: Db, until: string, limit: number): Promise<string[]> {
	const rows = await db
		.selectFrom('nodes')
		.select('owner_id as ownerId')
		.distinct()
		.where('deleted_at', '<=', until)
		.where('state', 'is', null)
		.limit(limit)
		.execute();
	return rows.map(({ ownerId }) => ownerId);
}

/** Marks for purge up to `limit` items that were deleted at `until` or earlier. @returns their ids */
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
