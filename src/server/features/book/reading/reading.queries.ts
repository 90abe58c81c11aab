import { type Insertable, type Selectable, sql } from 'kysely';
import type { Db, Schema } from '../../../platform/database/schema.ts';

export type ReadingPositionRow = Selectable<Schema['reading_places']>;
export type AnnotationRow = Selectable<Schema['reading_marks']>;

export function findReadingPosition(db: Db, userId: string, document: string): Promise<ReadingPositionRow | undefined> {
	return db
		.selectFrom('reading_places')
		.selectAll()
		.where('user_id', '=', userId)
		.where('document', '=', document)
		.executeTakeFirst();
}

/**
 * Keeps a place in one statement, so that of two that come at once each sees the other: the one read later stays, the
 * furthest page of the same count of pages grows by either. What changes nothing writes nothing.
 * @returns the row as it is then; undefined where nothing changed
 */
export function upsertReadingPosition(
	db: Db,
	row: Insertable<Schema['reading_places']>,
): Promise<ReadingPositionRow | undefined> {
	const isLater = sql<boolean>`excluded.read_at > reading_places.read_at`;
	const isFurther = sql<boolean>`(excluded.page_count <> reading_places.page_count
		or excluded.furthest_page > reading_places.furthest_page)`;
	const whereLater = <T>(column: string) =>
		sql<T>`case when ${isLater} then ${sql.ref(`excluded.${column}`)} else ${sql.ref(`reading_places.${column}`)} end`;
	const whereFurther = <T>(column: string) =>
		sql<T>`case when ${isFurther} then ${sql.ref(`excluded.${column}`)} else ${sql.ref(`reading_places.${column}`)} end`;
	return db
		.insertInto('reading_places')
		.values(row)
		.onConflict((conflict) =>
			conflict
				.columns(['user_id', 'document'])
				.doUpdateSet({
					page: whereLater('page'),
					page_count: whereLater('page_count'),
					page_offset: whereLater('page_offset'),
					chapter: whereLater('chapter'),
					read_at: whereLater('read_at'),
					updated_at: sql`excluded.updated_at`,
					furthest_page: whereFurther('furthest_page'),
					furthest_share: whereFurther('furthest_share'),
				})
				.where((where) =>
					where.or([
						isLater,
						sql<boolean>`excluded.page_count = reading_places.page_count
							and excluded.furthest_page > reading_places.furthest_page`,
					]),
				),
		)
		.returningAll()
		.executeTakeFirst();
}

/** Somebody's marks in a document, by page and in the order in which they were made. */
export function listAnnotations(db: Db, userId: string, document: string): Promise<AnnotationRow[]> {
	return db
		.selectFrom('reading_marks')
		.selectAll()
		.where('user_id', '=', userId)
		.where('document', '=', document)
		.orderBy('page')
		.orderBy('created_at')
		.orderBy('id')
		.execute();
}

/** Documents in which somebody has marks. */
export async function listAnnotatedDocuments(db: Db, userId: string): Promise<string[]> {
	const rows = await db
		.selectFrom('reading_marks')
		.select('document')
		.distinct()
		.where('user_id', '=', userId)
		.orderBy('document')
		.execute();
	return rows.map(({ document }) => document);
}

/** One of somebody's own marks, in whatever document. */
export function findAnnotation(db: Db, userId: string, id: string): Promise<AnnotationRow | undefined> {
	return db
		.selectFrom('reading_marks')
		.selectAll()
		.where('user_id', '=', userId)
		.where('id', '=', id)
		.executeTakeFirst();
}

/** How many marks a user has in a document and in all, and how large they are. */
export async function measureAnnotations(db: Db, userId: string, document: string) {
	const rows = await db
		.selectFrom('reading_marks')
		.select(['document', (eb) => eb.fn.countAll<number>().as('count')])
		.select((eb) => eb.fn.sum<number>('size_bytes').as('bytes'))
		.where('user_id', '=', userId)
		.groupBy('document')
		.execute();
	const sum = (of: typeof rows) => ({
		count: of.reduce((total, row) => total + Number(row.count), 0),
		bytes: of.reduce((total, row) => total + Number(row.bytes), 0),
	});
	const { count: countInAll, bytes: bytesInAll } = sum(rows);
	return { ...sum(rows.filter((row) => row.document === document)), countInAll, bytesInAll };
}

/** Adds a mark, or changes everything of it but when it was made. */
export async function upsertAnnotation(tx: Db, row: Insertable<Schema['reading_marks']>): Promise<void> {
	const { user_id: _user, id: _id, created_at: _made, ...changes } = row;
	await tx
		.insertInto('reading_marks')
		.values(row)
		.onConflict((conflict) => conflict.columns(['user_id', 'id']).doUpdateSet(changes))
		.execute();
}

/** @returns whether it was there */
export async function deleteAnnotation(db: Db, userId: string, document: string, id: string): Promise<boolean> {
	const { numDeletedRows } = await db
		.deleteFrom('reading_marks')
		.where('user_id', '=', userId)
		.where('document', '=', document)
		.where('id', '=', id)
		.executeTakeFirst();
	return numDeletedRows > 0n;
}
