import { byPlace, type ReadingMark, type ReadingPlace } from '#contract/reader/reading.ts';
import type { MarkRow, PlaceRow } from './reading.queries.ts';

/** Shares are kept in whole parts, alike on both databases. */
export const parts = 10_000;

export function presentPlace(row: Omit<PlaceRow, 'user_id' | 'document' | 'node_id'>): ReadingPlace {
	return {
		page: row.page,
		pageCount: row.page_count,
		offset: row.page_offset / parts,
		chapter: row.chapter,
		readAt: row.read_at,
	};
}

export function presentMark(row: MarkRow): ReadingMark {
	return {
		id: row.id,
		kind: row.kind,
		page: row.page,
		boxes: JSON.parse(row.boxes) as ReadingMark['boxes'],
		quote: row.quote,
		note: row.note,
		color: row.color,
		chapter: row.chapter,
		createdAt: row.created_at,
		updatedAt: row.updated_at,
	};
}

/** In the order of their places. */
export function presentMarks(rows: readonly MarkRow[]): ReadingMark[] {
	return rows.map(presentMark).toSorted(byPlace);
}
