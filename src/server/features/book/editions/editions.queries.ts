import type { EditionKey } from '#contract/book/editions.ts';
import type { Db, Schema } from '../../../platform/database/schema.ts';

export async function hasNodeWithContent(db: Db, nodeIds: readonly string[], sha256: string): Promise<boolean> {
	const row = await db
		.selectFrom('nodes')
		.innerJoin('blobs', 'blobs.id', 'nodes.blob_id')
		.select('nodes.id')
		.where('nodes.id', 'in', nodeIds)
		.where('blobs.sha256', '=', sha256)
		.executeTakeFirst();
	return row !== undefined;
}

/** Stores the contents of these files, which have become editions. */
export async function insertEditionContents(tx: Db, nodeIds: readonly string[], now: string): Promise<void> {
	if (nodeIds.length === 0) return;
	await tx
		.insertInto('edition_contents')
		.columns(['sha256', 'name', 'created_at'])
		.expression((eb) =>
			eb
				.selectFrom('nodes')
				.innerJoin('blobs', 'blobs.id', 'nodes.blob_id')
				.select(({ fn, val, cast }) => [
					'blobs.sha256',
					fn.min('nodes.name').as('name'),
					cast<string>(val(now), 'text').as('created_at'),
				])
				.where('nodes.id', 'in', nodeIds)
				.groupBy('blobs.sha256'),
		)
		.onConflict((conflict) => conflict.column('sha256').doNothing())
		.execute();
}

export function findEditionContent(db: Db, sha256: string) {
	return db.selectFrom('edition_contents').selectAll().where('sha256', '=', sha256).executeTakeFirst();
}

/** Lists the contents of former editions, the last one first. @param currentIds the files of the current editions */
export function listFormerEditions(db: Db, currentIds: readonly string[]) {
	const current = db
		.selectFrom('nodes')
		.innerJoin('blobs', 'blobs.id', 'nodes.blob_id')
		.select('blobs.sha256')
		.where('nodes.id', 'in', currentIds);
	return db
		.selectFrom('edition_contents')
		.select(['sha256', 'name', 'created_at'])
		.$if(currentIds.length > 0, (query) => query.where('sha256', 'not in', current))
		.orderBy('created_at', 'desc')
		.orderBy('sha256')
		.limit(1000)
		.execute();
}

export async function deleteEditionContent(tx: Db, sha256: string): Promise<void> {
	await tx.deleteFrom('edition_contents').where('sha256', '=', sha256).execute();
}

export function listBookPdfs(db: Db) {
	return db
		.selectFrom('nodes')
		.select(['id', 'name', 'path'])
		.where('owner_id', '=', 'book')
		.where('kind', '=', 'file')
		.where('ending', '=', 'pdf')
		.where('deleted_at', 'is', null)
		.orderBy('sort_key')
		.orderBy('id')
		.limit(1000)
		.execute();
}

export async function findCopyFailure(db: Db, edition: EditionKey, sourceId: string): Promise<string | null> {
	const row = await db
		.selectFrom('watermarked_copies')
		.select('failure')
		.where('edition', '=', edition)
		.where('wanted_source_id', '=', sourceId)
		.where('state', '=', 'failed')
		.limit(1)
		.executeTakeFirst();
	return row?.failure ?? null;
}

export function listOutlines(db: Db, blobIds: readonly string[]) {
	return db.selectFrom('outlines').selectAll().where('blob_id', 'in', blobIds).execute();
}

/** Stores an outline, unless its blob was deleted meanwhile. */
export async function insertOutline(db: Db, row: Schema['outlines']): Promise<void> {
	await db
		.insertInto('outlines')
		.columns(['blob_id', 'entries', 'page_count', 'failure', 'read_at'])
		.expression((eb) =>
			eb
				.selectFrom('blobs')
				.select(({ val, ref, cast }) => [
					ref('blobs.id').as('blob_id'),
					cast<string | null>(val(row.entries), 'text').as('entries'),
					cast<number | null>(val(row.page_count), 'integer').as('page_count'),
					cast<string | null>(val(row.failure), 'text').as('failure'),
					cast<string>(val(row.read_at), 'text').as('read_at'),
				])
				.where('blobs.id', '=', row.blob_id),
		)
		.onConflict((conflict) => conflict.column('blob_id').doNothing())
		.execute();
}
