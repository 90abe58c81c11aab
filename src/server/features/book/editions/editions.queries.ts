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
