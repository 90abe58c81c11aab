import { sql } from 'kysely';
import type { EditionKey } from '#contract/book/editions.ts';
import type { readingStats } from '#contract/book/reading-statistics.ts';
import type { InputOf } from '#contract/core/endpoint.ts';
import { pageAfter } from '../../../../platform/database/query-preparation.ts';
import type { Db } from '../../../../platform/database/schema.ts';
import { testBuyerId } from '../../../../platform/database/test-purchase.ts';
import { hasBookAccess } from '../../access/access.queries.ts';

function activeReaders(db: Db) {
	return (
		db
			.selectFrom('users')
			// The addition prevents use of the index on `active`. Most users are active, so reading by id is faster.
			.where(sql<number>`users.active + 0`, '=', 1)
			.where('users.role', '=', 'user')
			.where(hasBookAccess)
			// The test buyer is no reader.
			.where('users.id', 'not in', testBuyerId)
	);
}

/** Returns the id of the last of the next `userCount` users after `after`; null if there are fewer. */
export async function findBatchEnd(db: Db, after: string, userCount: number): Promise<string | null> {
	const row = await db
		.selectFrom('users')
		.select('id')
		.where('id', '>', after)
		.orderBy('id')
		.offset(userCount - 1)
		.limit(1)
		.executeTakeFirst();
	return row?.id ?? null;
}

/** How many readers have a certain progress in an edition, and how many of them read it in the last week and month. */
export interface ReadingProgressRow {
	/** Null in the row that counts all readers, including those who have opened no edition. */
	edition: string | null;
	share: number | null;
	count: number;
	week: number;
	month: number;
}

export async function countReaders(
	db: Db,
	{ after, upTo }: { after: string; upTo: string | null },
	editions: readonly EditionKey[],
	since: { week: string; month: string },
): Promise<ReadingProgressRow[]> {
	let batch = activeReaders(db).select('users.id').where('users.id', '>', after);
	if (upTo !== null) batch = batch.where('users.id', '<=', upTo);
	const readSince = (moment: string) =>
		sql<number>`sum(case when reading_positions.read_at >= ${moment} then 1 else 0 end)`;
	return (
		db
			.with(
				(cte) => cte('readers').materialized(),
				() => batch,
			)
			.selectFrom('readers')
			// SQLite does not reorder a cross join, so each reader's positions are read together.
			.crossJoin('reading_positions')
			.whereRef('reading_positions.user_id', '=', 'readers.id')
			// The concatenation makes the database search the index once for each reader, not for each reader and edition.
			.where(sql<string>`reading_positions.document || ''`, 'in', editions)
			.select((eb) => [
				sql<string | null>`reading_positions.document`.as('edition'),
				sql<number | null>`reading_positions.furthest_share`.as('share'),
				eb.fn.countAll<number>().as('count'),
				readSince(since.week).as('week'),
				readSince(since.month).as('month'),
			])
			.groupBy(['reading_positions.document', 'reading_positions.furthest_share'])
			.unionAll((eb) =>
				eb
					.selectFrom('readers')
					.select((inner) => [
						sql<string | null>`null`.as('edition'),
						sql<number | null>`null`.as('share'),
						inner.fn.countAll<number>().as('count'),
						sql<number>`0`.as('week'),
						sql<number>`0`.as('month'),
					]),
			)
			.execute()
	);
}

export function listReaders(
	db: Db,
	{ edition, sort, limit }: Omit<InputOf<typeof readingStats.people>, 'cursor'>,
	after: readonly [value: string | number, id: string] | null,
) {
	const column = sort === 'furthest' ? 'reading_positions.furthest_share' : 'reading_positions.read_at';
	// SQLite does not reorder a cross join, so it reads the positions first, in the order of their index.
	return db
		.selectFrom('reading_positions')
		.crossJoin('users as person')
		.whereRef('person.id', '=', 'reading_positions.user_id')
		.select((eb) => [
			'person.id',
			'person.email',
			'person.name',
			eb.ref('reading_positions.furthest_share').as('share'),
			eb.ref('reading_positions.read_at').as('readAt'),
		])
		.where('reading_positions.document', '=', edition)
		.where((where) =>
			where.exists(
				activeReaders(db)
					.select(sql<number>`1`.as('found'))
					.where('users.id', '=', where.ref('reading_positions.user_id')),
			),
		)
		.$call(pageAfter(after, [column, 'reading_positions.user_id'], 'desc', limit));
}
