import type { Kysely } from 'kysely';

/** The index does not change the results of the previous version. */
export const isCompatibleWithPrevious = true;

/**
 * Adds an index for unfinished uploads, whose sizes are summed before each upload. An index with a condition is not used
 * by SQLite for the uploads to one space.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
	await db.schema
		.createIndex('uploads_unfinished')
		.on('uploads')
		.columns(['finished_at', 'owner_id', 'created_at'])
		.execute();
}
