import type { Kysely } from 'kysely';

/** Incompatible with the previous version, which uses the removed tables and columns for each purchase. */
export const isCompatibleWithPrevious = false;

/**
 * Removes the image fingerprints of payment proofs, and the stored duplicates of each proof. Orders with the same
 * reference or the same bytes of a picture are found when they are read, the latter by the new index.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
	await db.schema.dropTable('proof_fingerprints').execute();
	await db.schema.dropTable('proof_sequence').execute();
	for (const column of ['same_utr_as', 'same_picture_as']) {
		await db.schema.dropIndex(`proofs_${column}`).execute();
		await db.schema.alterTable('proofs').dropColumn(column).execute();
	}
	await db.schema.dropIndex('proofs_picture').execute();
	await db.schema
		.createIndex('proofs_picture')
		.on('proofs')
		.columns(['picture_key', 'created_at', 'order_id'])
		.execute();
}
