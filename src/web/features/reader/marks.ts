import type { ReadingMark } from '#contract/reader/reading.ts';
import type { PageBox } from '#web/ui/pdf/page-box.ts';

/** What a mark is made of, before it is one. */
export type NewMark = Omit<ReadingMark, 'id' | 'createdAt' | 'updatedAt'>;

/** Marks in reading order: by page, bookmarks first, then from the top down. */
export function inReadingOrder(marks: readonly ReadingMark[]): ReadingMark[] {
	const topOf = ({ kind, boxes }: ReadingMark) => (kind === 'bookmark' ? -1 : (boxes[0]?.[1] ?? 0));
	return marks.toSorted(
		(a, b) =>
			a.page - b.page || topOf(a) - topOf(b) || a.createdAt.localeCompare(b.createdAt) || a.id.localeCompare(b.id),
	);
}

/** Around a line a finger may miss by so much of the page's height. */
const missed = 0.006;

/** The highlight at a point of its page; of several the one made last. */
export function markAt(marks: readonly ReadingMark[], page: number, [x, y]: [number, number]): ReadingMark | undefined {
	const isIn = ([left, top, right, bottom]: PageBox) =>
		x >= left && x <= right && y >= top - missed && y <= bottom + missed;
	return marks.findLast((mark) => mark.page === page && mark.boxes.some(isIn));
}

/** The bookmark of a page. */
export function bookmarkOf(marks: readonly ReadingMark[], page: number): ReadingMark | undefined {
	return marks.find((mark) => mark.kind === 'bookmark' && mark.page === page);
}
