import { type Kysely, PostgresAdapter, sql } from 'kysely';

/**
 * Text that is compared, sorted or paged by: byte order on both databases. SQLite does so by itself;
 * PostgreSQL would follow the locale of the database, and keyset pages would differ.
 */
export function keyText(db: Kysely<unknown>) {
	const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
	return isPostgres ? sql`text collate "C"` : sql`text`;
}
