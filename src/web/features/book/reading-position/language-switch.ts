import type { ShelfEdition } from '#contract/book/shelf.ts';
import type { OutlineEntry } from '#web/ui/pdf/document/pdf-outline.ts';

/** A place on a page: how much of it lies above what is read, 0 to 1. */
export interface PagePosition {
	page: number;
	offset: number;
}

/** An open edition's pages and headings. */
export interface DocumentStructure {
	outline: readonly OutlineEntry[];
	pageCount: number;
}

/** Entries of the two languages' outlines that say the same, by their places in these. */
export type ChapterMatches = ReadonlyArray<{ en: string; hi: string }>;

/** Where somebody was in one edition when they went on to another language of the same part. */
export interface LanguageSwitchSource extends DocumentStructure {
	edition: Pick<ShelfEdition, 'key' | 'part' | 'language'>;
	position: PagePosition;
	/** Whoever comes back without having turned a page goes on exactly where they were. */
	returnPosition: PagePosition | undefined;
}

/** Two pages that say the same. */
interface Anchor {
	from: number;
	to: number;
}

/** What is left of the way to the next heading is never all of it. */
const minRemainder = 0.01;

/**
 * The place in another language that says the same: as far behind the counterpart of the last heading that has one, on the
 * way to the next in that edition, as it was in the one that was left. Without any, as far into the whole.
 */
export function translatePosition(
	source: LanguageSwitchSource,
	target: DocumentStructure,
	matches: ChapterMatches,
): PagePosition {
	if (source.returnPosition !== undefined) return source.returnPosition;
	const { position: place } = source;
	// What comes before the first of them comes before it there, too.
	const anchors = [{ from: 1, to: 1 }, ...buildAnchors(source, target, matches)].sort((a, b) => a.from - b.from);
	const last = anchors.findLast(({ from }) => from <= place.page) ?? { from: 1, to: 1 };
	const fromEnd =
		nextPageAfter(
			last.from,
			anchors.map(({ from }) => from),
		) ?? source.pageCount + 1;
	const toEnd =
		nextPageAfter(
			last.to,
			anchors.map(({ to }) => to),
		) ?? target.pageCount + 1;
	const share = (place.page + place.offset - last.from) / (fromEnd - last.from);
	const at = last.to + Math.min(1, Math.max(0, share)) * (toEnd - last.to);
	// A hair more than there is: a third of three pages is one.
	const clamped = Math.min(Math.max(1, at + 1e-6), Math.max(last.to, toEnd - minRemainder));
	return { page: Math.floor(clamped), offset: Math.floor((clamped % 1) * 1e4) / 1e4 };
}

/** In the order of the outline that was left: of several on one page the last, which lies deepest, counts. */
function buildAnchors(source: LanguageSwitchSource, target: DocumentStructure, matches: ChapterMatches): Anchor[] {
	const isEnglish = source.edition.language === 'en';
	const counterparts = new Map(matches.map(({ en, hi }) => (isEnglish ? [en, hi] : [hi, en])));
	const pages = new Map(flattenOutline(target.outline).map(({ id, page }) => [id, page]));
	return flattenOutline(source.outline).flatMap(({ id, page }) => {
		const to = pages.get(counterparts.get(id) ?? '');
		return page === null || to === undefined || to === null ? [] : [{ from: page, to }];
	});
}

function flattenOutline(entries: readonly OutlineEntry[]): OutlineEntry[] {
	return entries.flatMap((entry) => [entry, ...flattenOutline(entry.children)]);
}

function nextPageAfter(page: number, pages: number[]): number | undefined {
	const later = pages.filter((each) => each > page);
	return later.length === 0 ? undefined : Math.min(...later);
}
