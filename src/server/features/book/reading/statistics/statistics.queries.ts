import { sql } from 'kysely';
import type { EditionKey } from '#contract/book/book-settings.ts';
import type { Db } from '../../../../platform/database/schema.ts';
import { hasBookAccess } from '../../access/access.queries.ts';

/** Active members with book access: an order that is Complete, or an admin's grant. */
function activeReaders(db: Db) {
	return (
		db
			.selectFrom('users')
			// Not by an index of the active, which are nearly all: people are walked by their ids.
			.where(sql<number>`users.active + 0`, '=', 1)
			.where('users.role', '=', 'user')
			.where(hasBookAccess)
	);
}

/** Where so many people end, by their ids; null where there are no more. */
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

/** A part of all people, by their ids: behind one, up to another; null is the end. */
interface UserRange {
	after: string;
	upTo: string | null;
}

/** How many readers stand at a share of an edition, and how many of these have read since two moments. */
export interface ReadingProgressRow {
	/** Null in the row that counts the readers themselves, whatever they have opened. */
	edition: string | null;
	share: number | null;
	count: number;
	week: number;
	month: number;
}

/** Counts the readers among some people, and how far they are in some editions. */
export async function countReaders(
	db: Db,
	{ after, upTo }: UserRange,
	editions: readonly EditionKey[],
	since: { week: string; month: string },
): Promise<ReadingProgressRow[]> {
	let some = activeReaders(db).select('users.id').where('users.id', '>', after);
	if (upTo !== null) some = some.where('users.id', '<=', upTo);
	const readSince = (moment: string) =>
		sql<number>`sum(case when reading_places.read_at >= ${moment} then 1 else 0 end)`;
	return (
		db
			.with(
				(cte) => cte('readers').materialized(),
				() => some,
			)
			.selectFrom('readers')
			// A cross join is one that SQLite does not turn round: the places of each reader lie beside each other.
			.crossJoin('reading_places')
			.whereRef('reading_places.user_id', '=', 'readers.id')
			// By one look for each reader, not one for each edition.
			.where(sql<string>`reading_places.document || ''`, 'in', editions)
			.select((eb) => [
				sql<string | null>`reading_places.document`.as('edition'),
				sql<number | null>`reading_places.furthest_share`.as('share'),
				eb.fn.countAll<number>().as('count'),
				readSince(since.week).as('week'),
				readSince(since.month).as('month'),
			])
			.groupBy(['reading_places.document', 'reading_places.furthest_share'])
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

export interface ReadersQuery {
	edition: EditionKey;
	sort: 'furthest' | 'read';
	/** Last row of the page before. */
	after: { value: string | number; id: string } | null;
	limit: number;
}

/** One page of the readers of an edition, the furthest or the latest first, along the index of that order. */
export function listReaders(db: Db, { edition, sort, after, limit }: ReadersQuery) {
	const column = sort === 'furthest' ? 'reading_places.furthest_share' : 'reading_places.read_at';
	// A cross join is one that SQLite does not turn round: what is walked is the index.
	let page = db
		.selectFrom('reading_places')
		.crossJoin('users as person')
		.whereRef('person.id', '=', 'reading_places.user_id')
		.select((eb) => [
			'person.id',
			'person.email',
			'person.name',
			eb.ref('reading_places.furthest_share').as('share'),
			eb.ref('reading_places.read_at').as('readAt'),
		])
		.where('reading_places.document', '=', edition)
		.where((where) =>
			where.exists(
				activeReaders(db)
					.select(sql<number>`1`.as('found'))
					.where('users.id', '=', where.ref('reading_places.user_id')),
			),
		)
		.orderBy(column, 'desc')
		.orderBy('reading_places.user_id', 'desc')
		.limit(limit);
	if (after !== null) {
		const { value, id } = after;
		page = page.where(sql<boolean>`(${sql.ref(column)}, ${sql.ref('reading_places.user_id')}) < (${value}, ${id})`);
	}
	return page;
}
