import { PostgresAdapter, type SelectQueryBuilder } from 'kysely';
import type { Db } from './schema.ts';

/**
 * Locks the selected rows until the transaction ends, where the database needs it: on SQLite the transaction
 * already holds the only right to write.
 */
export function lockRows<DB, TB extends keyof DB, O>(
	db: Db,
	query: SelectQueryBuilder<DB, TB, O>,
	mode: 'wait' | 'skip' | 'share' = 'wait',
): SelectQueryBuilder<DB, TB, O> {
	if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return query;
	// With others who only want the row to stay.
	if (mode === 'share') return query.forKeyShare();
	return mode === 'skip' ? query.forUpdate().skipLocked() : query.forUpdate();
}
