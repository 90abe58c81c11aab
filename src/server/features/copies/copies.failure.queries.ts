import type { EditionKey } from '#contract/settings/book-settings.ts';
import type { Db } from '../../db/schema.ts';

/** Why copies of an original cannot be made, as one of them tells. */
export async function findFailure(db: Db, edition: EditionKey, sourceId: string): Promise<string | null> {
	const row = await db
		.selectFrom('marked_copies')
		.select('failure')
		.where('edition', '=', edition)
		.where('wanted_source_id', '=', sourceId)
		.where('state', '=', 'failed')
		.limit(1)
		.executeTakeFirst();
	return row?.failure ?? null;
}
