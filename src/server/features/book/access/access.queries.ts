import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { Db, Schema } from '../../../platform/database/schema.ts';

export function findGrantedAccess(db: Db, userId: string) {
	return db.selectFrom('book_access').selectAll().where('user_id', '=', userId).executeTakeFirst();
}

/** @returns false when access was granted already */
export async function insertGrantedAccess(tx: Db, row: Schema['book_access']): Promise<boolean> {
	const inserted = await tx
		.insertInto('book_access')
		.values(row)
		.onConflict((conflict) => conflict.column('user_id').doNothing())
		.returning('user_id')
		.executeTakeFirst();
	return inserted !== undefined;
}

/** @returns false when no access was granted */
export async function deleteGrantedAccess(tx: Db, userId: string): Promise<boolean> {
	const row = await tx.deleteFrom('book_access').where('user_id', '=', userId).returning('user_id').executeTakeFirst();
	return row !== undefined;
}

/** Whether a user may read the book: with a Complete order, or with access that an admin has granted. */
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
				.selectFrom('book_access')
				.select(sql<number>`1`.as('found'))
				.whereRef('book_access.user_id', '=', 'users.id'),
		),
	]);
}
