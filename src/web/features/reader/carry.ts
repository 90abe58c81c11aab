import type { OutlineEntry } from '#web/ui/pdf/pdf-outline.ts';
import { findCurrent } from './chapters.ts';

/** Where somebody was in one edition, in terms that another edition of the same part understands. */
export interface ChapterPlace {
	/** Which chapter of how many; -1 before the first. */
	chapter: number;
	chapters: number;
	/** Which section of how many of that chapter; -1 before its first. */
	section: number;
	sections: number;
	/** How much of that chapter, or section, lies behind: 0 to 1. */
	share: number;
	/** How much of the whole lies behind, for editions that are built differently. */
	whole: number;
}

/** @param offset how much of the page lies above what is read, 0 to 1 */
export function chapterPlaceOf(
	outline: readonly OutlineEntry[],
	pageCount: number,
	page: number,
	offset: number,
): ChapterPlace {
	const chapter = findCurrent(outline, page);
	const entry = outline[chapter];
	const children = entry?.children ?? [];
	const section = findCurrent(children, page);
	const from = children[section]?.page ?? entry?.page ?? 1;
	const to = nextPage(children, section) ?? nextPage(outline, chapter) ?? pageCount + 1;
	return {
		chapter,
		chapters: outline.length,
		section,
		sections: children.length,
		share: Math.min(1, (page - from + offset) / Math.max(1, to - from)),
		whole: pageCount <= 1 ? 0 : (page - 1 + offset) / pageCount,
	};
}

/** The page of another edition that says the same; by its chapters where both have as many, else by how much lies behind. */
export function pageOfChapterPlace(outline: readonly OutlineEntry[], pageCount: number, place: ChapterPlace): number {
	const entry = outline[place.chapter];
	const isPaired = outline.length === place.chapters && entry?.page !== undefined && entry.page !== null;
	if (!isPaired)
		return place.chapter === -1 && outline.length > 0 ? 1 : clamp(Math.floor(place.whole * pageCount) + 1, pageCount);
	const children = entry.children;
	const section = children.length === place.sections ? place.section : -1;
	const from = children[section]?.page ?? entry.page ?? 1;
	const to = nextPage(children, section) ?? nextPage(outline, place.chapter) ?? pageCount + 1;
	// Never into what comes after: the last page of a short chapter is still its own.
	return clamp(Math.min(from + Math.floor(place.share * (to - from)), Math.max(from, to - 1)), pageCount);
}

function nextPage(entries: readonly OutlineEntry[], index: number): number | null {
	return entries.slice(index + 1).find(({ page }) => page !== null)?.page ?? null;
}

function clamp(page: number, pageCount: number): number {
	return Math.min(Math.max(1, page), Math.max(1, pageCount));
}
