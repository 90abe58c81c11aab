import { PostgresAdapter, type RawBuilder, sql } from 'kysely';
import type { Db } from './schema.ts';

/** Returns a `like` pattern that finds `text` anywhere, with its % and _ escaped. */
export function containsPattern(text: string): RawBuilder<string> {
	const escaped = text.replace(/[\\%_]/gu, (sign) => `\\${sign}`);
	return sql<string>`${`%${escaped}%`} escape '\\'`;
}

/**
 * A `like` pattern without an escape, the only kind that SQLite's trigram index answers (sqlite.org/fts5.html): % and _
 * match anything, and a backslash is treated like them, so that it finds at least what {@link containsPattern} finds.
 */
export function roughPattern(text: string): string {
	return `%${text.replaceAll('\\', '_')}%`;
}

/** Whether a search is long enough for trigrams: at least three characters. */
export function hasTrigrams(searchKey: string): boolean {
	return [...searchKey].length >= 3;
}

/** Whether {@link twoCharacterMatchIds} can answer: on SQLite, two characters, caseless beyond ASCII. */
export function isTwoCharacterSearch(db: Db, searchKey: string): boolean {
	const signs = [...searchKey];
	const isCaseless = (sign: string) => sign < '\u{80}' || sign.toUpperCase() === sign.toLowerCase();
	return signs.length === 2 && signs.every(isCaseless) && !(db.getExecutor().adapter instanceof PostgresAdapter);
}

/** Returns SQL for ids of orders where a pair of characters begins a trigram or ends the text; see migration 0009. */
export function twoCharacterMatchIds(pair: string): RawBuilder<string> {
	return sql<string>`(select id from orders_search_rows where number in (${twoCharacterMatchNumbers(pair)})
		union select id from orders where substr(search_key, -2) = ${pair})`;
}

function twoCharacterMatchNumbers(pair: string) {
	return sql<number>`select doc from orders_search_pieces where term >= ${pair} and term < ${pair} || char(1114111)`;
}

/** Whether a pair of characters occurs in more than `few` rows. */
export async function isBroadTwoCharacterSearch(db: Db, pair: string, few: number): Promise<boolean> {
	const beyond = await sql`select 1 where exists (${twoCharacterMatchNumbers(pair)} limit 1 offset ${few})
		or exists (select 1 from orders where substr(search_key, -2) = ${pair} limit 1 offset ${few})`.execute(db);
	return beyond.rows.length > 0;
}

/** Whether the trigram index finds more than `few` rows for a search, before any filter. */
export async function isBroadSearch(
	db: Db,
	table: 'users_search' | 'orders_search' | 'messages_search',
	searchKey: string,
	few: number,
): Promise<boolean> {
	if (!hasTrigrams(searchKey)) return false;
	const beyond = await db
		.selectFrom(table)
		.select('id')
		.where('search_key', 'like', roughPattern(searchKey))
		.limit(1)
		.offset(few)
		.executeTakeFirst();
	return beyond !== undefined;
}
