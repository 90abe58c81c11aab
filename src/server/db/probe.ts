import { sql } from 'kysely';
import type { Db } from './schema.ts';

/** Asks the database for nothing in particular. @throws when it does not answer */
export async function probeDatabase(db: Db): Promise<void> {
	await sql`select 1`.execute(db);
}
