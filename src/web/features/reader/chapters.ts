import type { OutlineEntry } from '#web/ui/pdf/pdf-outline.ts';

/** A chapter as the outline shows it. */
export interface Chapter extends OutlineEntry {
	state: 'read' | 'current' | 'ahead';
}

/** Marks the chapters by the page that is open: read before it, current around it, ahead after it. */
export function markChapters(entries: readonly OutlineEntry[], page: number): Chapter[] {
	const currentIndex = findCurrent(entries, page);
	return entries.map((entry, index) => ({
		...entry,
		state: index === currentIndex ? 'current' : index < currentIndex ? 'read' : 'ahead',
	}));
}

/** Index of the last entry that begins at or before the page, -1 before the first. */
export function findCurrent(entries: readonly OutlineEntry[], page: number): number {
	return entries.findLastIndex((entry) => entry.page !== null && entry.page <= page);
}

/** Places of the chapters' first pages along the progress bar, 0 to 1, without its ends. */
export function tickPlaces(entries: readonly OutlineEntry[], pageCount: number): number[] {
	if (pageCount < 2) return [];
	const places = entries.flatMap(({ page }) => (page === null ? [] : [(page - 1) / (pageCount - 1)]));
	return [...new Set(places)].filter((place) => place > 0 && place < 1);
}
