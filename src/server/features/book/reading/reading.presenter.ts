import { type Annotation, compareAnnotations } from '#contract/book/reading.ts';
import type { AnnotationRow, ReadingPositionRow } from './reading.queries.ts';

/** Basis points in a whole. Fractions are stored in basis points, because both databases treat integers alike. */
export const basisPoints = 10_000;

export function presentReadingPosition(row: Omit<ReadingPositionRow, 'user_id' | 'document' | 'node_id'>) {
	return {
		page: row.page,
		pageCount: row.page_count,
		offset: row.page_offset / basisPoints,
		chapter: row.chapter,
		readAt: row.read_at,
	};
}

export function presentAnnotation(row: AnnotationRow): Annotation {
	return {
		id: row.id,
		kind: row.kind,
		page: row.page,
		boxes: JSON.parse(row.boxes) as Annotation['boxes'],
		quote: row.quote,
		note: row.note,
		color: row.color,
		chapter: row.chapter,
		createdAt: row.created_at,
		updatedAt: row.updated_at,
	};
}

export function presentAnnotations(rows: readonly AnnotationRow[]): Annotation[] {
	return rows.map(presentAnnotation).toSorted(compareAnnotations);
}
