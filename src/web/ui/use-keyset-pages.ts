import { useState } from 'react';

/** Where one is in a list that is paged forward by cursors: the places passed are kept for the way back. */
export interface KeysetPages {
	/** Of the page that is shown; undefined for the first. */
	cursor: string | undefined;
	/** How many pages lie before it. */
	passed: number;
	onPrevious: (() => void) | undefined;
	/** The way on from a page that ends at this cursor; undefined at the last page and while the page is still coming. */
	onNext: (nextCursor: string | null, isComing: boolean) => (() => void) | undefined;
}

/** Mount anew (`key`) for another list. */
export function useKeysetPages(): KeysetPages {
	const [passed, setPassed] = useState<string[]>([]);
	return {
		cursor: passed.at(-1),
		passed: passed.length,
		onPrevious: passed.length === 0 ? undefined : () => setPassed(passed.slice(0, -1)),
		onNext: (nextCursor, isComing) =>
			nextCursor === null || isComing ? undefined : () => setPassed([...passed, nextCursor]),
	};
}
