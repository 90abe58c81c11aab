import { type Insertable, type RawBuilder, type Selectable, sql } from 'kysely';
import type { Db, Schema } from '../../../platform/database/schema.ts';

export type ReadingPositionRow = Selectable<Schema['reading_positions']>;
export type AnnotationRow = Selectable<Schema['annotations']>;

export function findReadingPosition(db: Db, userId: string, document: string): Promise<ReadingPositionRow | undefined> {
	return db
		.selectFrom('reading_positions')
		.selectAll()
		.where('user_id', '=', userId)
		.where('document', '=', document)
		.executeTakeFirst();
}

/**
 * Stores a reading position in one atomic statement. The update with the later time wins. The furthest page never
 * decreases while the page count is the same.
 * @returns the new row; undefined if nothing changed
 */
export function upsertReadingPosition(db: Db, row: Insertable<Schema['reading_positions']>) {
	const isLater = sql<boolean>`excluded.read_at > reading_positions.read_at`;
	const isFurther = sql<boolean>`(excluded.page_count <> reading_positions.page_count
		or excluded.furthest_page > reading_positions.furthest_page)`;
	const newIf = <T>(condition: RawBuilder<boolean>, column: string) =>
		sql<T>`case when ${condition} then ${sql.ref(`excluded.${column}`)} else ${sql.ref(`reading_positions.${column}`)} end`;
	return db
		.insertInto('reading_positions')
		.values(row)
		.onConflict((conflict) =>
			conflict
				.columns(['user_id', 'document'])
				.doUpdateSet({
					page: newIf(isLater, 'page'),
					page_count: newIf(isLater, 'page_count'),
					page_offset: newIf(isLater, 'page_offset'),
					chapter: newIf(isLater, 'chapter'),
					read_at: newIf(isLater, 'read_at'),
					updated_at: sql`excluded.updated_at`,
					furthest_page: newIf(isFurther, 'furthest_page'),
					furthest_share: newIf(isFurther, 'furthest_share'),
				})
				.where((where) =>
					where.or([
						isLater,
						sql<boolean>`excluded.page_count = reading_positions.page_count
							and excluded.furthest_page > reading_positions.furthest_page`,
					]),
				),
		)
		.returningAll()
		.executeTakeFirst();
}

export function listAnnotations(db: Db, userId: string, document: string): Promise<AnnotationRow[]> {
	return db
		.selectFrom('annotations')
		.selectAll()
		.where('user_id', '=', userId)
		.where('document', '=', document)
		.orderBy('page')
		.orderBy('created_at')
		.orderBy('id')
		.execute();
}

export async function listAnnotatedDocuments(db: Db, userId: string): Promise<string[]> {
	const rows = await db
		.selectFrom('annotations')
		.select('document')
		.distinct()
		.where('user_id', '=', userId)
		.orderBy('document')
		.execute();
	return rows.map(({ document }) => document);
}

export function findAnnotation(db: Db, userId: string, id: string): Promise<AnnotationRow | undefined> {
	return db.selectFrom('annotations').selectAll().where('user_id', '=', userId).where('id', '=', id).executeTakeFirst();
}

export async function measureAnnotations(db: Db, userId: string, document: string) {
	const rows = await db
		.selectFrom('annotations')
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

export async function upsertAnnotation(tx: Db, row: Insertable<Schema['annotations']>): Promise<void> {
	const { user_id: _user, id: _id, created_at: _made, ...changes } = row;
	await tx
		.insertInto('annotations')
		.values(row)
		.onConflict((conflict) => conflict.columns(['user_id', 'id']).doUpdateSet(changes))
		.execute();
}

export async function deleteAnnotation(db: Db, userId: string, document: string, id: string): Promise<boolean> {
	const { numDeletedRows } = await db
		.deleteFrom('annotations')
		.where('user_id', '=', userId)
		.where('document', '=', document)
		.where('id', '=', id)
		.executeTakeFirst();
	return numDeletedRows > 0n;
}
