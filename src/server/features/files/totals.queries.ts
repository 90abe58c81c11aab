import { sql } from 'kysely';
import { lockRows } from '../../db/row-lock.ts';
import type { Db } from '../../db/schema.ts';

export interface Change {
	folders: number;
	files: number;
	sizeBytes: number;
}

/** Adds to what lies directly in a folder. */
export async function addToFolder(tx: Db, ownerId: string, path: string, change: Change): Promise<void> {
	await tx
		.insertInto('folder_totals')
		.values({
			owner_id: ownerId,
			path,
			folders: change.folders,
			files: change.files,
			size_bytes: change.sizeBytes,
		})
		.onConflict((conflict) =>
			conflict.columns(['owner_id', 'path']).doUpdateSet({
				folders: sql<number>`folder_totals.folders + ${change.folders}`,
				files: sql<number>`folder_totals.files + ${change.files}`,
				size_bytes: sql<number>`folder_totals.size_bytes + ${change.sizeBytes}`,
			}),
		)
		.execute();
}

/** The same for many folders at once, by their paths. */
export async function addToFolders(tx: Db, ownerId: string, changes: ReadonlyMap<string, Change>): Promise<void> {
	if (changes.size === 0) return;
	const rows = [...changes].map(([path, change]) => ({
		owner_id: ownerId,
		path,
		folders: change.folders,
		files: change.files,
		size_bytes: change.sizeBytes,
	}));
	await tx
		.insertInto('folder_totals')
		.values(rows)
		.onConflict((conflict) =>
			conflict.columns(['owner_id', 'path']).doUpdateSet({
				folders: sql<number>`folder_totals.folders + excluded.folders`,
				files: sql<number>`folder_totals.files + excluded.files`,
				size_bytes: sql<number>`folder_totals.size_bytes + excluded.size_bytes`,
			}),
		)
		.execute();
}

/** Adds to what a space holds, its trash included. */
export async function addToSpace(tx: Db, ownerId: string, files: number, sizeBytes: number): Promise<void> {
	await tx
		.insertInto('spaces')
		.values({ owner_id: ownerId, file_count: files, used_bytes: sizeBytes, quota_bytes: null })
		.onConflict((conflict) =>
			conflict.column('owner_id').doUpdateSet({
				file_count: sql<number>`spaces.file_count + ${files}`,
				used_bytes: sql<number>`spaces.used_bytes + ${sizeBytes}`,
			}),
		)
		.execute();
}

/** Changes to one space's folders take turns, until the transaction ends; makes the space's row when there is none. */
export async function lockSpace(tx: Db, ownerId: string): Promise<void> {
	await tx
		.insertInto('spaces')
		.values({ owner_id: ownerId, file_count: 0, used_bytes: 0, quota_bytes: null })
		.onConflict((conflict) => conflict.column('owner_id').doNothing())
		.execute();
	await lockRows(tx, tx.selectFrom('spaces').select('owner_id').where('owner_id', '=', ownerId)).execute();
}

export function findSpaceUse(db: Db, ownerId: string) {
	return db
		.selectFrom('spaces')
		.select(['file_count as fileCount', 'used_bytes as usedBytes', 'quota_bytes as quotaBytes'])
		.where('owner_id', '=', ownerId)
		.executeTakeFirst();
}

/** Bytes that uploads under way have announced for a space. */
export async function sumAnnounced(db: Db, ownerId: string): Promise<number> {
	const row = await db
		.selectFrom('uploads')
		.select(sql<number>`cast(coalesce(sum(size_bytes), 0) as bigint)`.as('sizeBytes'))
		.where('owner_id', '=', ownerId)
		.where('finished_at', 'is', null)
		.executeTakeFirstOrThrow();
	return row.sizeBytes;
}

/** What lies directly in some folders of a space. */
export function findFolderTotals(db: Db, ownerId: string, paths: string[]) {
	return db
		.selectFrom('folder_totals')
		.select(['path', 'folders', 'files', 'size_bytes as sizeBytes'])
		.where('owner_id', '=', ownerId)
		.where('path', 'in', paths)
		.execute();
}

export async function setQuota(tx: Db, ownerId: string, quotaBytes: number | null): Promise<void> {
	await tx.updateTable('spaces').set({ quota_bytes: quotaBytes }).where('owner_id', '=', ownerId).execute();
}

/** The largest spaces first, with their owner's address where a person owns them. */
export function listSpaces(db: Db, after: { usedBytes: number; ownerId: string } | null, limit: number) {
	let page = db
		.selectFrom('spaces')
		.leftJoin('users', 'users.id', 'spaces.owner_id')
		.select([
			'spaces.owner_id as ownerId',
			'users.email',
			'spaces.file_count as fileCount',
			'spaces.used_bytes as usedBytes',
			'spaces.quota_bytes as quotaBytes',
		])
		.where((where) => where.or([where('users.id', 'is not', null), where('spaces.owner_id', 'in', ['guest', 'book'])]))
		.orderBy('spaces.used_bytes', 'desc')
		.orderBy('spaces.owner_id', 'desc')
		.limit(limit);
	if (after !== null) {
		page = page.where((where) =>
			where(where.refTuple('spaces.used_bytes', 'spaces.owner_id'), '<', where.tuple(after.usedBytes, after.ownerId)),
		);
	}
	return page.execute();
}

/** Files and bytes of all spaces together. */
export function sumSpaces(db: Db) {
	return db
		.selectFrom('spaces')
		.select([
			sql<number>`cast(coalesce(sum(file_count), 0) as bigint)`.as('fileCount'),
			sql<number>`cast(coalesce(sum(used_bytes), 0) as bigint)`.as('usedBytes'),
		])
		.executeTakeFirstOrThrow();
}

/** Nothing of a space is left: its totals go too. */
export async function forgetSpace(tx: Db, ownerId: string): Promise<void> {
	await tx.deleteFrom('folder_totals').where('owner_id', '=', ownerId).execute();
	await tx.deleteFrom('spaces').where('owner_id', '=', ownerId).execute();
}
