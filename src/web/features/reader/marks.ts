import type { ReadingMark } from '#contract/reader/reading.ts';
import type { PageBox } from '#web/ui/pdf/page-box.ts';

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
