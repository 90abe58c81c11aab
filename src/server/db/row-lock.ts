import { type SelectQueryBuilder, sql } from 'kysely';
import { isPostgres } from './kind.ts';
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
	if (!isPostgres(db)) return query;
	// With others who only want the row to stay.
	if (mode === 'share') return query.forKeyShare();
	return mode === 'skip' ? query.forUpdate().skipLocked() : query.forUpdate();
}

/** The same for something that may have no row yet: whoever locks the same name, on any server, comes one after the other. */
export async function lockName(tx: Db, name: string): Promise<void> {
	if (isPostgres(tx)) await sql`select pg_advisory_xact_lock(hashtext(${`folio-${name}`}))`.execute(tx);
}
