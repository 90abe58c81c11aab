import type { Db, Schema } from '../../db/schema.ts';

/** What is known of the outlines of these bytes. */
export function listOutlines(db: Db, blobIds: readonly string[]) {
	return db.selectFrom('outlines').selectAll().where('blob_id', 'in', blobIds).execute();
}

/** Keeps what came of reading one, unless its bytes have gone meanwhile. */
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
