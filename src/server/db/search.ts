import { type RawBuilder, sql } from 'kysely';

/** The right side of a `like` that finds `text` anywhere, with its own % and _ taken as text. */
export function containsPattern(text: string): RawBuilder<string> {
	const escaped = text.replace(/[\\%_]/gu, (sign) => `\\${sign}`);
	return sql<string>`${`%${escaped}%`} escape '\\'`;
}
