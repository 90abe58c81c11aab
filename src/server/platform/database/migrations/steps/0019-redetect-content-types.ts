import { type Kysely, sql } from 'kysely';

/** Compatible with the previous version, which postpones jobs of an unknown kind. */
export const isCompatibleWithPrevious = true;

/** Enqueues a job that detects the types of unrecognised files again, because migrations cannot read stored bytes. */
export async function up(db: Kysely<unknown>): Promise<void> {
	await sql`insert into jobs (id, kind, lane, payload, run_at)
		select 'sniff-again', 'sniff-again', 'upkeep', '{"after":""}', '2000-01-01T00:00:00.000Z'
		where exists (select 1 from blobs where content_type = 'application/octet-stream')`.execute(db);
}
