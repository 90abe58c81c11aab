import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { Db, Schema } from '../../../platform/database/schema.ts';

export function findGrantedAccess(db: Db, userId: string) {
	return db.selectFrom('book_grants').selectAll().where('user_id', '=', userId).executeTakeFirst();
}

/** @returns false when there was one already */
export async function insertGrantedAccess(tx: Db, row: Schema['book_grants']): Promise<boolean> {
	const inserted = await tx
		.insertInto('book_grants')
		.values(row)
		.onConflict((conflict) => conflict.column('user_id').doNothing())
		.returning('user_id')
		.executeTakeFirst();
	return inserted !== undefined;
}

/** @returns false when there was none */
export async function deleteGrantedAccess(tx: Db, userId: string): Promise<boolean> {
	const row = await tx.deleteFrom('book_grants').where('user_id', '=', userId).returning('user_id').executeTakeFirst();
	return row !== undefined;
}

/** Whether somebody may read the book: an order that is Complete, or a grant. */
export function hasBookAccess(where: ExpressionBuilder<Schema, 'users'>): Expression<SqlBool> {
	return where.or([
		where.exists(
			where
				.selectFrom('orders')
				.select(sql<number>`1`.as('found'))
				.whereRef('orders.user_id', '=', 'users.id')
				.where('orders.status', '=', 'Complete'),
		),
		where.exists(
			where
				.selectFrom('book_grants')
				.select(sql<number>`1`.as('found'))
				.whereRef('book_grants.user_id', '=', 'users.id'),
		),
	]);
}
