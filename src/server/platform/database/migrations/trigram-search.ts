import { type Kysely, PostgresAdapter, sql } from 'kysely';

/**
 * Creates `{table}_search` (id, {column}), which finds substrings of a text column by trigrams, with the same `like` on
 * both databases. On SQLite it is an FTS5 table (sqlite.org/fts5.html, the trigram tokenizer) that triggers update, on
 * PostgreSQL a view, with a pg_trgm index on the table where the server has pg_trgm.
 */
export async function createTrigramSearch(db: Kysely<unknown>, tableName: string, columnName: string): Promise<void> {
	const table = sql.table(tableName);
	const column = sql.ref(columnName);
	const search = sql.table(`${tableName}_search`);
	if (db.getExecutor().adapter instanceof PostgresAdapter) {
		await sql`create view ${search} as select id, ${column} from ${table}`.execute(db);
		const { rows } = await sql`select 1 from pg_available_extensions where name = 'pg_trgm'`.execute(db);
		if (rows.length === 0) return;
		await sql`create extension if not exists pg_trgm`.execute(db);
		await sql`create index ${sql.table(`${tableName}_grams`)} on ${table} using gin (${column} gin_trgm_ops)`.execute(
			db,
		);
		return;
	}
	// VACUUM gives new rowids to tables without an integer key: the search table's rows are numbered here.
	const numbers = sql.table(`${tableName}_search_rows`);
	await sql`create table ${numbers} (number integer primary key, id text not null unique)`.execute(db);
	await sql`create virtual table ${search} using fts5(id unindexed, ${column}, tokenize = 'trigram')`.execute(db);
	await sql`insert into ${numbers} (id) select id from ${table}`.execute(db);
	await sql`insert into ${search} (rowid, id, ${column})
		select n.number, t.id, t.${column} from ${table} t join ${numbers} n on n.id = t.id`.execute(db);
	const trigger = (event: string) => sql.table(`${tableName}_search_${event}`);
	await sql`create trigger ${trigger('insert')} after insert on ${table} begin
		insert into ${numbers} (id) values (new.id);
		insert into ${search} (rowid, id, ${column})
			select number, new.id, new.${column} from ${numbers} where id = new.id; end`.execute(db);
	await sql`create trigger ${trigger('delete')} after delete on ${table} begin
		delete from ${search} where rowid = (select number from ${numbers} where id = old.id);
		delete from ${numbers} where id = old.id; end`.execute(db);
	await sql`create trigger ${trigger('update')} after update of ${column} on ${table} begin
		update ${search} set ${column} = new.${column}
			where rowid = (select number from ${numbers} where id = new.id); end`.execute(db);
}

/** Text in byte order on both databases: PostgreSQL's locale would make keyset pages differ. */
export function byteOrderedText(db: Kysely<unknown>) {
	const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
	return isPostgres ? sql`text collate "C"` : sql`text`;
}
