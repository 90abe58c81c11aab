import { type RawBuilder, sql } from 'kysely';
import { isPostgres } from './connection.ts';
import type { Db } from './schema.ts';

/** The moment by the database's own clock, plus seconds, as timestamps are kept: for what servers agree on whose clocks differ. */
export function databaseTime(db: Db, plusSeconds = 0): RawBuilder<string> {
	if (!isPostgres(db)) return sql<string>`strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ${`${plusSeconds} seconds`})`;
	const moment = sql`clock_timestamp() + make_interval(secs => ${plusSeconds})`;
	return sql<string>`to_char((${moment}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** The same moment as a value, for what has to be known before it is written. */
export async function readDatabaseTime(db: Db, plusSeconds = 0): Promise<string> {
	const { rows } = await sql<{ moment: string }>`select ${databaseTime(db, plusSeconds)} as moment`.execute(db);
	const [row] = rows;
	if (row === undefined) throw new Error('The database does not tell the time.');
	return row.moment;
}
