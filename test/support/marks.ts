import { randomUUID } from 'node:crypto';
import type { TestApp } from './app.ts';

/** A statement takes 32,766 values in SQLite; a row has 14. */
const rowsAtOnce = 1000;

interface Marks {
	userId: string;
	/** The edition that each row is about, by its number. */
	document: (index: number) => string;
	count: number;
	/** What each row counts towards the limit, whatever it holds. */
	sizeBytes: number;
}

/** Inserts bookmarks without asking the limits. @returns their ids */
export async function insertMarks(
	{ deps: { db }, clock }: Pick<TestApp, 'deps' | 'clock'>,
	{ userId, document, count, sizeBytes }: Marks,
): Promise<string[]> {
	const at = clock.now().toISOString();
	const rows = Array.from({ length: count }, (_, index) => ({
		kind: 'bookmark' as const,
		page: 1,
		boxes: '[]',
		quote: '',
		note: '',
		color: 'yellow' as const,
		chapter: null,
		user_id: userId,
		id: randomUUID(),
		document: document(index),
		node_id: null,
		size_bytes: sizeBytes,
		created_at: at,
		updated_at: at,
	}));
	for (let start = 0; start < rows.length; start += rowsAtOnce)
		await db
			.insertInto('reading_marks')
			.values(rows.slice(start, start + rowsAtOnce))
			.execute();
	return rows.map(({ id }) => id);
}
