import { type Insertable, sql } from 'kysely';
import { reservedOwners } from '#contract/files/files.ts';
import { awaitAll } from '../../../platform/database/await-all.ts';
import { pageAfter, prepareQuery, toListParameters } from '../../../platform/database/query-preparation.ts';
import type { Db, Schema } from '../../../platform/database/schema.ts';
import { lockRows } from '../../../platform/database/transaction.ts';
import { lockUserIfExists } from '../../accounts/index.ts';

export interface TotalsChange {
	folders: number;
	files: number;
	sizeBytes: number;
}

interface SpaceTotalsChange {
	ownerId: string;
	files: number;
	sizeBytes: number;
}

export function addToFolderTotals(tx: Db, ownerId: string, path: string, change: TotalsChange): Promise<void> {
	return addToManyFolderTotals(tx, ownerId, new Map([[path, change]]));
}

const addToFolderQuery = prepareQuery((tx, row: Insertable<Schema['folder_totals']>) =>
	tx
		.insertInto('folder_totals')
		.values(row)
		.onConflict((conflict) =>
			conflict.columns(['owner_id', 'path']).doUpdateSet({
				folders: sql<number>`folder_totals.folders + excluded.folders`,
				files: sql<number>`folder_totals.files + excluded.files`,
				size_bytes: sql<number>`folder_totals.size_bytes + excluded.size_bytes`,
			}),
		),
);

export async function addToManyFolderTotals(tx: Db, ownerId: string, changes: ReadonlyMap<string, TotalsChange>) {
	const rows = [...changes].map(([path, { folders, files, sizeBytes }]) => {
		return { owner_id: ownerId, path, folders, files, size_bytes: sizeBytes };
	});
	await awaitAll(rows.map((row) => addToFolderQuery(tx, row)));
}

const addToSpaceQuery = prepareQuery((tx, { ownerId, files, sizeBytes }: SpaceTotalsChange) =>
	tx
		.insertInto('spaces')
		.values({ owner_id: ownerId, file_count: files, used_bytes: sizeBytes, quota_bytes: null })
		.onConflict((conflict) =>
			conflict.column('owner_id').doUpdateSet({
				file_count: sql<number>`spaces.file_count + excluded.file_count`,
				used_bytes: sql<number>`spaces.used_bytes + excluded.used_bytes`,
			}),
		),
);

/** Changes the totals of a space, which include its trash. */
export async function addToSpaceTotals(tx: Db, ownerId: string, files: number, sizeBytes: number): Promise<void> {
	await addToSpaceQuery(tx, { ownerId, files, sizeBytes });
}

/** Creates the row of a space, unless it exists or its owner does not. */
const createSpaceQuery = prepareQuery((tx, { ownerId }: { ownerId: string }) =>
	tx
		.insertInto('spaces')
		.columns(['owner_id', 'file_count', 'used_bytes'])
		.expression(
			tx
				.selectNoFrom((eb) => [eb.val(ownerId).as('owner'), sql.lit(0).as('files'), sql.lit(0).as('bytes')])
				.where(({ or, exists, selectFrom, eb }) =>
					or([
						eb(eb.val(ownerId), 'in', reservedOwners),
						exists(selectFrom('users').select('users.id').where('users.id', '=', ownerId)),
					]),
				),
		)
		.onConflict((conflict) => conflict.column('owner_id').doNothing()),
);

const lockSpaceQuery = prepareQuery((tx, { ownerId }: { ownerId: string }) =>
	lockRows(tx, tx.selectFrom('spaces').select('owner_id').where('owner_id', '=', ownerId)),
);

/**
 * Locks the owner of a space and then the space until the transaction ends, so that its folders are changed by one
 * transaction at a time.
 * @returns false when the owner does not exist
 */
export async function lockSpace(tx: Db, ownerId: string): Promise<boolean> {
	const isReserved = reservedOwners.some((name) => name === ownerId);
	const [isOwned] = await awaitAll([
		isReserved || lockUserIfExists(tx, ownerId),
		createSpaceQuery(tx, { ownerId }),
		lockSpaceQuery(tx, { ownerId }),
	]);
	return isOwned;
}

function folderTotals(db: Db, ownerId: string, paths: string[]) {
	return db
		.selectFrom('folder_totals')
		.select(['path', 'folders', 'files', 'size_bytes as sizeBytes'])
		.where('owner_id', '=', ownerId)
		.where('path', 'in', paths);
}

const totalsOfOneFolder = prepareQuery((db, { ownerId, path }: { ownerId: string; path: string }) =>
	folderTotals(db, ownerId, [path]),
);

export async function findFolderTotals(db: Db, ownerId: string, paths: string[]) {
	const [path] = paths;
	if (path === undefined) return [];
	if (paths.length === 1) return (await totalsOfOneFolder(db, { ownerId, path })).rows;
	return folderTotals(db, ownerId, paths).execute();
}

export async function setQuota(tx: Db, ownerId: string, quotaBytes: number | null): Promise<void> {
	await tx.updateTable('spaces').set({ quota_bytes: quotaBytes }).where('owner_id', '=', ownerId).execute();
}

const spaceColumns = [
	'spaces.file_count as fileCount',
	'spaces.used_bytes as usedBytes',
	'spaces.quota_bytes as quotaBytes',
] as const;

/** Lists non-empty spaces, largest first, with the owner's email address if the owner is a user. */
export function listNonEmptySpaces(db: Db, after: { usedBytes: number; ownerId: string } | null, limit: number) {
	return db
		.selectFrom('spaces')
		.leftJoin('users', 'users.id', 'spaces.owner_id')
		.select(['spaces.owner_id as ownerId', 'users.email', ...spaceColumns])
		.where('spaces.used_bytes', '>', 0)
		.where((where) => where.or([where('users.id', 'is not', null), where('spaces.owner_id', 'in', reservedOwners)]))
		.$call(
			pageAfter(after && [after.usedBytes, after.ownerId], ['spaces.used_bytes', 'spaces.owner_id'], 'desc', limit),
		)
		.execute();
}

/** Lists users with an empty space or no row in `spaces`, sorted by email address. */
export function listUsersWithEmptySpaces(db: Db, afterEmailKey: string, limit: number) {
	return db
		.selectFrom('users')
		.leftJoin('spaces', 'spaces.owner_id', 'users.id')
		.select(['users.id as ownerId', 'users.email', 'users.email_key as emailKey', ...spaceColumns])
		.where('users.email_key', '>', afterEmailKey)
		.where((where) => where.or([where('spaces.owner_id', 'is', null), where('spaces.used_bytes', '=', 0)]))
		.orderBy('users.email_key')
		.limit(limit)
		.execute();
}

const spacesQuery = prepareQuery((db, ownerIds: Record<string, string>) =>
	db
		.selectFrom('spaces')
		.select(['spaces.owner_id as ownerId', ...spaceColumns])
		.where('owner_id', 'in', Object.values(ownerIds)),
);

export async function findSpaces(db: Db, ownerIds: readonly string[]) {
	return (await spacesQuery(db, toListParameters('owner', ownerIds))).rows;
}

/** Sums the trash of each space, in bytes. A deleted folder inside another deleted folder is counted only once. */
export async function sumTrashBytes(db: Db, ownerIds: readonly string[]): Promise<Map<string, number>> {
	if (ownerIds.length === 0) return new Map();
	const below = sql`case when d.path = '' then d.real_path else d.path || '/' || d.real_path end`;
	const inTrash = sql`owner_id in (${sql.join([...ownerIds])}) and deleted_at is not null and state is null`;
	// '0' is the character after '/', so the condition is a range that an index can find.
	const { rows } = await sql<{ ownerId: string; sizeBytes: number }>`
		select owner_id as "ownerId", cast(sum(size_bytes) as bigint) as "sizeBytes" from (
			select owner_id, size_bytes from nodes where ${inTrash} and kind = 'file'
			union all
			select owner_id, size_bytes from (
				select distinct t.owner_id, t.path, t.size_bytes
				from (select owner_id, ${below} as below from nodes d where ${inTrash} and kind = 'folder') f
				join folder_totals t on t.owner_id = f.owner_id and t.path >= f.below and t.path < f.below || '0'
				where t.path = f.below or t.path >= f.below || '/'
			) as inside
		) as held group by owner_id`.execute(db);
	return new Map(rows.map(({ ownerId, sizeBytes }) => [ownerId, sizeBytes]));
}

export function sumSpaces(db: Db) {
	return db
		.selectFrom('spaces')
		.select([
			sql<number>`cast(coalesce(sum(file_count), 0) as bigint)`.as('fileCount'),
			sql<number>`cast(coalesce(sum(used_bytes), 0) as bigint)`.as('usedBytes'),
		])
		.executeTakeFirstOrThrow();
}

export async function deleteSpace(tx: Db, ownerId: string): Promise<void> {
	await tx.deleteFrom('folder_totals').where('owner_id', '=', ownerId).execute();
	await tx.deleteFrom('spaces').where('owner_id', '=', ownerId).execute();
}
