import type { ShelfEdition } from '#contract/book/shelf.ts';
import type { OutlineEntry } from '#web/ui/pdf/document/pdf-outline.ts';

/** A position on a page; `offset` is the share of the page above it, 0 to 1. */
export interface PagePosition {
	page: number;
	offset: number;
}

export interface DocumentStructure {
	outline: readonly OutlineEntry[];
	pageCount: number;
}

export type ChapterMatches = ReadonlyArray<{ en: string; hi: string }>;

export interface LanguageSwitchSource extends DocumentStructure {
	edition: Pick<ShelfEdition, 'key' | 'part' | 'language'>;
	position: PagePosition;
	/** The exact position to return to when the user switches back without having turned a page. */
	returnPosition: PagePosition | undefined;
}

/** Minimum distance, in pages, to the next heading or the end. */
const minRemainder = 0.01;

/**
 * Translates a position to another language of the same part. Between two matched headings the relative progress stays
 * the same; without matched headings, the relative progress in the whole document.
 */
export function translatePosition(
	source: LanguageSwitchSource,
	target: DocumentStructure,
	matches: ChapterMatches,
): PagePosition {
	if (source.returnPosition !== undefined) return source.returnPosition;
	const { position } = source;
	// The first pages correspond too, so that text before the first matched heading stays before it.
	const anchors = [{ from: 1, to: 1 }, ...buildAnchors(source, target, matches)].sort((a, b) => a.from - b.from);
	const last = anchors.findLast(({ from }) => from <= position.page) ?? { from: 1, to: 1 };
	const laterThan = (page: number) => (each: number) => each > page;
	const fromEnd = anchors.map(({ from }) => from).find(laterThan(last.from)) ?? source.pageCount + 1;
	const toEnd = Math.min(target.pageCount + 1, ...anchors.map(({ to }) => to).filter(laterThan(last.to)));
	const share = (position.page + position.offset - last.from) / (fromEnd - last.from);
	const at = last.to + Math.min(1, Math.max(0, share)) * (toEnd - last.to);
	// The small surplus corrects rounding, such as a third of three pages falling just below one.
	const clamped = Math.min(Math.max(1, at + 1e-6), Math.max(last.to, toEnd - minRemainder));
	return { page: Math.floor(clamped), offset: Math.floor((clamped % 1) * 1e4) / 1e4 };
}

/** Returns corresponding pages in the source's order. Of several entries on one page, the last and deepest is used. */
function buildAnchors(source: LanguageSwitchSource, target: DocumentStructure, matches: ChapterMatches) {
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
