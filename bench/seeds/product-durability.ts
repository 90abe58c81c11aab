import { sql } from 'kysely';
import type { Db } from '#server/platform/database/schema.ts';

/** The durability of the product's connection to the embedded database, which a baseline must match. */
export async function readProductDurability(db: Db) {
	const journal = await sql<{ journal_mode: string }>`pragma journal_mode`.execute(db);
	const synchronous = await sql<{ synchronous: number }>`pragma synchronous`.execute(db);
	return { journal: journal.rows[0]?.journal_mode, synchronous: synchronous.rows[0]?.synchronous };
}
