import { sql } from 'kysely';
import type { EditionKey } from '#contract/settings/book-settings.ts';
import type { Db } from '../../db/schema.ts';

/** Active members with book access: an order that is Complete, as the orders' own question has it. */
function readers(db: Db) {
	return (
		db
			.selectFrom('users')
			// Not by an index of the active, which are nearly all: people are walked by their ids.
			.where(sql<number>`users.active + 0`, '=', 1)
			.where('users.role', '=', 'user')
			.where((where) =>
				where.exists(
					where
						.selectFrom('orders')
						.select(sql<number>`1`.as('found'))
						.whereRef('orders.user_id', '=', 'users.id')
						.where('orders.status', '=', 'Complete'),
				),
			)
	);
}

/** Where so many people end, by their ids; null where there are no more. */
export async function findStepEnd(db: Db, after: string, people: number): Promise<string | null> {
	const row = await db
		.selectFrom('users')
		.select('id')
		.where('id', '>', after)
		.orderBy('id')
		.offset(people - 1)
		.limit(1)
		.executeTakeFirst();
	return row?.id ?? null;
}

/** A part of all people, by their ids: behind one, up to another; null is the end. */
interface Step {
	after: string;
	upTo: string | null;
}

function readersOf(db: Db, { after, upTo }: Step) {
	const some = readers(db).where('users.id', '>', after);
	return upTo === null ? some : some.where('users.id', '<=', upTo);
}

export async function countReaders(db: Db, step: Step): Promise<number> {
	const row = await readersOf(db, step)
		.select((eb) => eb.fn.countAll<number>().as('count'))
		.executeTakeFirstOrThrow();
	return Number(row.count);
}

/** How many of them are how far in some editions, and how many of these have read since two moments. */
export function countPlaces(
	db: Db,
	step: Step,
	editions: readonly EditionKey[],
	since: { week: string; month: string },
) {
	// A cross join is one that SQLite does not turn round: the places of each reader lie beside each other.
	return readersOf(db, step)
		.crossJoin('reading_places')
		.whereRef('reading_places.user_id', '=', 'users.id')
		.where('reading_places.document', 'in', editions)
		.select((eb) => [
			'reading_places.document as edition',
			'reading_places.furthest_share as share',
			eb.fn.countAll<number>().as('count'),
			sql<number>`sum(case when reading_places.read_at >= ${since.week} then 1 else 0 end)`.as('week'),
			sql<number>`sum(case when reading_places.read_at >= ${since.month} then 1 else 0 end)`.as('month'),
		])
		.groupBy(['reading_places.document', 'reading_places.furthest_share'])
		.execute();
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
				readers(db).select(sql<number>`1`.as('found')).where('users.id', '=', where.ref('reading_places.user_id')),
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
