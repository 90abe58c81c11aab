import { type RawBuilder, sql } from 'kysely';

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
