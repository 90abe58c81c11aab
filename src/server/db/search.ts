import { type RawBuilder, sql } from 'kysely';
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

/** Whether the trigrams find more than `few` rows for a search, whatever its filter. */
export async function isBroadSearch(
	db: Db,
	table: 'users_search' | 'orders_search',
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
