import { type RawBuilder, sql } from 'kysely';
import { isPostgres } from './connection.ts';
import type { Db } from './schema.ts';

/** Returns a `like` pattern for texts that contain `text`, with % and _ escaped. */
export function containsPattern(text: string): RawBuilder<string> {
	const escaped = text.replace(/[\\%_]/gu, (character) => `\\${character}`);
	return sql<string>`${`%${escaped}%`} escape '\\'`;
}

/**
 * Returns a `like` pattern without `escape`, which SQLite's trigram index does not support (sqlite.org/fts5.html). It
 * finds all rows of {@link containsPattern} and maybe more: % and _ in the text, and _ in place of a backslash, are
 * wildcards.
 */
export function roughPattern(text: string): string {
	return `%${text.replaceAll('\\', '_')}%`;
}

/** Whether a search has the three characters that a trigram index needs. */
export function hasTrigrams(searchKey: string): boolean {
	return [...searchKey].length >= 3;
}

/**
 * Whether {@link twoCharacterMatchIds} finds the matches of a search: on SQLite, for two characters that are ASCII or
 * have no upper and lower case.
 */
export function isTwoCharacterSearch(db: Db, searchKey: string): boolean {
	const characters = [...searchKey];
	const isSupported = (char: string) => char < '\u{80}' || char.toUpperCase() === char.toLowerCase();
	return characters.length === 2 && characters.every(isSupported) && !isPostgres(db);
}

/** Returns SQL for the ids of orders whose search key contains a pair of characters; see migration 0009. */
export function twoCharacterMatchIds(pair: string): RawBuilder<string> {
	return sql<string>`(select id from orders_search_rows where number in (${twoCharacterMatchNumbers(pair)})
		union select id from orders where substr(search_key, -2) = ${pair})`;
}

function twoCharacterMatchNumbers(pair: string) {
	return sql<number>`select doc from orders_search_pieces where term >= ${pair} and term < ${pair} || char(1114111)`;
}

/** Whether one of the two indexes for pairs of characters has more than `maxRows` entries for this pair. */
export async function isBroadTwoCharacterSearch(db: Db, pair: string, maxRows: number): Promise<boolean> {
	const result = await sql`select 1 where exists (${twoCharacterMatchNumbers(pair)} limit 1 offset ${maxRows})
		or exists (select 1 from orders where substr(search_key, -2) = ${pair} limit 1 offset ${maxRows})`.execute(db);
	return result.rows.length > 0;
}

/** Whether the trigram index finds more than `maxRows` rows for a search, before other filters. */
export async function isBroadSearch(
	db: Db,
	table: 'users_search' | 'orders_search' | 'messages_search',
	searchKey: string,
	maxRows: number,
): Promise<boolean> {
	if (!hasTrigrams(searchKey)) return false;
	const result = await db
		.selectFrom(table)
		.select('id')
		.where('search_key', 'like', roughPattern(searchKey))
		.limit(1)
		.offset(maxRows)
		.executeTakeFirst();
	return result !== undefined;
}
