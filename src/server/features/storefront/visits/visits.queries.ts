import { type Insertable, type Selectable, sql } from 'kysely';
import { inBatches, pageAfter } from '../../../platform/database/query-preparation.ts';
import type { Db, Schema } from '../../../platform/database/schema.ts';
import { testOrderId } from '../../../platform/database/test-purchase.ts';
import { lockRows } from '../../../platform/database/transaction.ts';

export type NewVisit = Insertable<Schema['visits']>;
export type VisitAddress = Selectable<Schema['visit_addresses']>;
type Source = Pick<Selectable<Schema['visit_sources']>, 'day' | 'kind' | 'value' | 'visits'>;

export async function insertVisits(tx: Db, rows: readonly NewVisit[]): Promise<void> {
	for (const batch of inBatches(rows)) await tx.insertInto('visits').values(batch).execute();
}

/** Adds visits to the counts of addresses; each address has one row in `rows`. @returns the number of new addresses */
export async function addToAddresses(tx: Db, rows: readonly VisitAddress[]): Promise<number> {
	let added = 0;
	// Sorted, so that concurrent transactions lock the rows in the same order.
	for (const batch of inBatches(rows.toSorted((a, b) => (a.ip < b.ip ? -1 : 1)))) {
		const written = await tx
			.insertInto('visit_addresses')
			.values(batch)
			.onConflict((conflict) =>
				conflict.column('ip').doUpdateSet({
					visits: sql<number>`visit_addresses.visits + excluded.visits`,
					last_at: sql<string>`case when excluded.last_at > visit_addresses.last_at then excluded.last_at else visit_addresses.last_at end`,
					is_short: sql<0 | 1>`excluded.is_short`,
				}),
			)
			.returning(['ip', 'visits'])
			.execute();
		const addedVisits = new Map(batch.map(({ ip, visits }) => [ip, visits]));
		added += written.filter(({ ip, visits }) => addedVisits.get(ip) === visits).length;
	}
	return added;
}

/** Subtracts visits from an address, and deletes the address when none are left. @returns whether it was deleted */
export async function subtractFromAddress(tx: Db, ip: string, visits: number): Promise<boolean> {
	await tx
		.updateTable('visit_addresses')
		.set({ visits: sql<number>`visits - ${visits}` })
		.where('ip', '=', ip)
		.execute();
	const { numDeletedRows } = await tx
		.deleteFrom('visit_addresses')
		.where('ip', '=', ip)
		.where('visits', '<=', 0)
		.executeTakeFirstOrThrow();
	return numDeletedRows > 0n;
}

export async function addToAddressCount(tx: Db, change: number): Promise<void> {
	if (change === 0) return;
	await tx
		.updateTable('visit_sums')
		.set({ addresses: sql<number>`addresses + ${change}` })
		.where('id', '=', 'visits')
		.execute();
}

export async function addToDay(tx: Db, row: Insertable<Schema['visit_days']>): Promise<void> {
	await tx
		.insertInto('visit_days')
		.values(row)
		.onConflict((conflict) =>
			conflict.column('day').doUpdateSet({
				visits: sql<number>`visit_days.visits + excluded.visits`,
				forms: sql<number>`visit_days.forms + excluded.forms`,
			}),
		)
		.execute();
}

export async function addToSources(tx: Db, rows: readonly Source[]): Promise<void> {
	const keyOf = ({ day, kind, value }: Source) => `${day} ${kind} ${value}`;
	for (const batch of inBatches(rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)))) {
		await tx
			.insertInto('visit_sources')
			.values(batch)
			.onConflict((conflict) =>
				conflict.columns(['day', 'kind', 'value']).doUpdateSet({
					visits: sql<number>`visit_sources.visits + excluded.visits`,
				}),
			)
			.execute();
	}
}

/** Returns which of `values` are referrers of a day already, and the number of its referrers (0 if all are known). */
export async function findReferrers(tx: Db, day: string, values: string[]) {
	const ofDay = tx.selectFrom('visit_sources').where('day', '=', day).where('kind', '=', 'referrer');
	const known = new Set<string>();
	for (const batch of inBatches(values)) {
		const rows = await ofDay.select('value').where('value', 'in', batch).execute();
		for (const { value } of rows) known.add(value);
	}
	if (known.size === values.length) return { known, count: 0 };
	const { count } = await ofDay.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
	return { known, count };
}

export async function sumDays(db: Db): Promise<number> {
	const row = await db
		.selectFrom('visit_days')
		.select(sql<number>`coalesce(sum(visits), 0)`.as('visits'))
		.executeTakeFirstOrThrow();
	return row.visits;
}

export async function countAddresses(db: Db): Promise<number> {
	const row = await db
		.selectFrom('visit_sums')
		.select('addresses')
		.where('id', '=', 'visits')
		.executeTakeFirstOrThrow();
	return row.addresses;
}

export function listDays(db: Db, from: string) {
	return db.selectFrom('visit_days').selectAll().where('day', '>=', from).orderBy('day').execute();
}

export function listSources(db: Db, kind: 'page' | 'referrer', from: string, limit: number) {
	return db
		.selectFrom('visit_sources')
		.select((eb) => ['value', eb.fn.sum<number>('visits').as('visits')])
		.where('kind', '=', kind)
		.where('day', '>=', from)
		.groupBy('value')
		.orderBy('visits', 'desc')
		.orderBy('value')
		.limit(limit)
		.execute();
}

export function countOrdersSince(db: Db, from: string) {
	return db
		.selectFrom('orders')
		.select((eb) => [
			eb.fn.countAll<number>().as('placed'),
			sql<number>`coalesce(sum(case when status = 'Complete' then 1 else 0 end), 0)`.as('complete'),
		])
		.where('created_at', '>=', from)
		.where('id', 'not in', testOrderId)
		.executeTakeFirstOrThrow();
}

interface AddressesQuery {
	sort: 'visits' | 'ip';
	/** Last row of the previous page. */
	after: { visits: number; ip: string } | null;
	limit: number;
}

export function listAddresses(db: Db, { sort, after, limit }: AddressesQuery) {
	const page =
		sort === 'ip'
			? pageAfter(after && [after.ip], ['ip'], 'asc', limit)
			: pageAfter(after && [after.visits, after.ip], ['visits', 'ip'], 'desc', limit);
	return db.selectFrom('visit_addresses').select(['ip', 'visits', 'last_at as lastVisitAt']).$call(page).execute();
}

/** Deletes up to `limit` of the oldest visits before a moment. @returns the IP address of each deleted visit */
export async function deleteOldest(tx: Db, before: string, limit: number): Promise<string[]> {
	const rows = await tx
		.deleteFrom('visits')
		.where('id', 'in', (eb) =>
			eb.selectFrom('visits').select('id').where('visited_at', '<', before).orderBy('visited_at').limit(limit),
		)
		.returning('ip')
		.execute();
	return rows.map(({ ip }) => ip);
}

export function listUnshortenedAddresses(tx: Db, limit: number) {
	return lockRows(
		tx,
		tx.selectFrom('visit_addresses').selectAll().where('is_short', '=', 0).orderBy('ip').limit(limit),
	).execute();
}

/** Changes the IP address of up to `limit` visits. @returns the number of changed visits */
export async function moveVisits(tx: Db, from: string, to: string, limit: number): Promise<number> {
	const { numUpdatedRows } = await tx
		.updateTable('visits')
		.set({ ip: to })
		.where('id', 'in', (eb) => eb.selectFrom('visits').select('id').where('ip', '=', from).limit(limit))
		.executeTakeFirstOrThrow();
	return Number(numUpdatedRows);
}

export async function deleteAddress(tx: Db, ip: string): Promise<void> {
	await tx.deleteFrom('visit_addresses').where('ip', '=', ip).execute();
}

export async function setShortened(tx: Db, ip: string): Promise<void> {
	await tx.updateTable('visit_addresses').set({ is_short: 1 }).where('ip', '=', ip).execute();
}
