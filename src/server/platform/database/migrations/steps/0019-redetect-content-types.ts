import type { Kysely } from 'kysely';

/** Compatible with the previous version, which postpones jobs of an unknown kind. */
export const isCompatibleWithPrevious = true;

/** Enqueues a job that detects the types of unrecognised files again, because migrations cannot read stored bytes. */
export async function up(db: Kysely<unknown>): Promise<void> {
	const rows = (db as Kysely<{ blobs: { id: string; content_type: string } }>)
		.selectFrom('blobs')
		.select('id')
		.where('content_type', '=', 'application/octet-stream')
		.limit(1);
	if ((await rows.executeTakeFirst()) === undefined) return;
	await (db as Kysely<{ jobs: Record<'id' | 'kind' | 'lane' | 'payload' | 'run_at', string> }>)
		.insertInto('jobs')
		.values({
			id: 'sniff-again',
			kind: 'sniff-again',
			lane: 'upkeep',
			payload: JSON.stringify({ after: '' }),
			run_at: '2000-01-01T00:00:00.000Z',
		})
		.execute();
}
