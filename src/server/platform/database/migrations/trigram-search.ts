import { type Kysely, PostgresAdapter, sql } from 'kysely';

/**
 * Creates `{table}_search` (id, {column}), on which `like` finds substrings of a text column by a trigram index. On
 * SQLite it is an FTS5 table that triggers update (sqlite.org/fts5.html, 'The Trigram Tokenizer'); on PostgreSQL it is
 * a view of the table, whose column has a pg_trgm index if the server has this extension.
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
	// The rows of the search table are numbered by this table, because VACUUM may change the rowids of `table`.
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

/** Returns a text type that sorts by bytes on both databases; otherwise PostgreSQL would sort by its locale. */
export function byteOrderedText(db: Kysely<unknown>) {
	const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
	return isPostgres ? sql`text collate "C"` : sql`text`;
}
