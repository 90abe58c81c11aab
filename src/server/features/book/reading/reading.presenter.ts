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
	const { id, kind, page, quote, note, color, chapter, created_at: createdAt, updated_at: updatedAt } = row;
	const boxes = JSON.parse(row.boxes) as Annotation['boxes'];
	return { id, kind, page, boxes, quote, note, color, chapter, createdAt, updatedAt };
}

export function presentAnnotations(rows: readonly AnnotationRow[]): Annotation[] {
	return rows.map(presentAnnotation).toSorted(compareAnnotations);
}
