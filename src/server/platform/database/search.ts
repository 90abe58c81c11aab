import { PostgresAdapter, type RawBuilder, sql } from 'kysely';
import type { Db } from './schema.ts';

/** The right side of a `like` that finds `text` anywhere, with its own % and _ taken as text. */
export function containsPattern(text: string): RawBuilder<string> {
	const escaped = text.replace(/[\\%_]/gu, (sign) => `\\${sign}`);
	return sql<string>`${`%${escaped}%`} escape '\\'`;
}

/**
 * A `like` pattern without an escape, the only kind that SQLite's trigram index answers (sqlite.org/fts5.html): its % and
 * _ stand for anything, and so does a backslash, so that it finds at least what {@link containsPattern} finds.
 */
export function roughPattern(text: string): string {
	return `%${text.replaceAll('\\', '_')}%`;
}

/** Shorter pieces have no trigram. */
export function hasTrigrams(searchKey: string): boolean {
	return [...searchKey].length >= 3;
}

/**
 * Whether {@link twoCharacterMatchIds} finds what a search looks for: two signs, on SQLite; letters beyond ASCII only where they have no
 * case, for the index has its own small letters.
 */
export function isTwoCharacterSearch(db: Db, searchKey: string): boolean {
	const signs = [...searchKey];
	const isCaseless = (sign: string) => sign < '\u{80}' || sign.toUpperCase() === sign.toLowerCase();
	return signs.length === 2 && signs.every(isCaseless) && !(db.getExecutor().adapter instanceof PostgresAdapter);
}

/** Ids of orders that have two signs next to each other, in their trigrams or at the end; see migration 0009. */
export function twoCharacterMatchIds(pair: string): RawBuilder<string> {
	return sql<string>`(select id from orders_search_rows where number in (${twoCharacterMatchNumbers(pair)})
		union select id from orders where substr(search_key, -2) = ${pair})`;
}

function twoCharacterMatchNumbers(pair: string) {
	return sql<number>`select doc from orders_search_pieces where term >= ${pair} and term < ${pair} || char(1114111)`;
}

/** Whether two signs stand in more than `few` places. */
export async function isBroadTwoCharacterSearch(db: Db, pair: string, few: number): Promise<boolean> {
	const beyond = await sql`select 1 where exists (${twoCharacterMatchNumbers(pair)} limit 1 offset ${few})
		or exists (select 1 from orders where substr(search_key, -2) = ${pair} limit 1 offset ${few})`.execute(db);
	return beyond.rows.length > 0;
}

/** Whether the trigrams find more than `few` rows for a search, whatever its filter. */
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
