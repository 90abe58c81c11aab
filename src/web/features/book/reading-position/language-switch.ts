import type { ShelfEdition } from '#contract/book/shelf.ts';
import type { OutlineEntry } from '#web/ui/pdf/document/pdf-outline.ts';

/** `offset`: share of the page above the position, 0 to 1. */
export interface PagePosition {
	page: number;
	offset: number;
}

export interface DocumentStructure {
	outline: readonly OutlineEntry[];
	pageCount: number;
}

export type ChapterMatches = ReadonlyArray<{ from: string; to: string }>;

export interface LanguageChange {
	part: number;
	from: string;
	to: string;
}

/** Matches of a part's first language (`en`) with another one (`hi`). Earlier versions stored no languages offline. */
interface SavedMatches {
	part: number;
	firstLanguage?: string;
	language?: string;
	pairs: ReadonlyArray<{ en: string; hi: string }>;
}

/** Returns the matches of two languages of a part. Languages other than the first are matched through the first. */
export function matchesBetween(saved: readonly SavedMatches[], { part, from, to }: LanguageChange): ChapterMatches {
	const ofPart = saved.filter((matches) => matches.part === part);
	const findPairs = (other: string) => ofPart.find(({ language = 'hi' }) => language === other)?.pairs ?? [];
	const first = ofPart[0]?.firstLanguage ?? 'en';
	if (from === first) return findPairs(to).map(({ en, hi }) => ({ from: en, to: hi }));
	const toFirst = findPairs(from).map(({ en, hi }) => ({ from: hi, to: en }));
	if (to === first) return toFirst;
	const targets = new Map(findPairs(to).map(({ en, hi }) => [en, hi]));
	return toFirst.flatMap((match) => {
		const target = targets.get(match.to);
		return target === undefined ? [] : [{ from: match.from, to: target }];
	});
}

export interface LanguageSwitchSource extends DocumentStructure {
	edition: Pick<ShelfEdition, 'key' | 'part' | 'language'>;
	position: PagePosition;
	/** Where to return if the user switches back without turning a page. */
	returnPosition: PagePosition | undefined;
}

/** Minimum distance to the next heading or the end. Unit: pages. */
const minRemainder = 0.01;

/**
 * Translates a position to another language of the same part. Keeps the relative progress between two matched headings,
 * or in the whole document if no heading is matched.
 */
export function translatePosition(
	source: LanguageSwitchSource,
	target: DocumentStructure,
	matches: ChapterMatches,
): PagePosition {
	if (source.returnPosition !== undefined) return source.returnPosition;
	const { position } = source;
	// The first pages are matched too, for positions before the first matched heading.
	const anchors = [{ from: 1, to: 1 }, ...buildAnchors(source, target, matches)].sort((a, b) => a.from - b.from);
	// Of several headings on a page, the last and deepest is used.
	const last = anchors.findLast(({ from }) => from <= position.page) ?? { from: 1, to: 1 };
	const laterThan = (page: number) => (each: number) => each > page;
	const fromEnd = anchors.map(({ from }) => from).find(laterThan(last.from)) ?? source.pageCount + 1;
	const toEnd = Math.min(target.pageCount + 1, ...anchors.map(({ to }) => to).filter(laterThan(last.to)));
	const share = (position.page + position.offset - last.from) / (fromEnd - last.from);
	const at = last.to + Math.min(1, Math.max(0, share)) * (toEnd - last.to);
	// 1e-6 corrects rounding errors. For example, a third of three pages can be slightly less than 1.
	const clamped = Math.min(Math.max(1, at + 1e-6), Math.max(last.to, toEnd - minRemainder));
	return { page: Math.floor(clamped), offset: Math.floor((clamped % 1) * 1e4) / 1e4 };
}

/** Returns pairs of corresponding pages, in the order of the source's outline. */
function buildAnchors(source: LanguageSwitchSource, target: DocumentStructure, matches: ChapterMatches) {
	const counterparts = new Map(matches.map(({ from, to }) => [from, to]));
	const pages = new Map(flattenOutline(target.outline).map(({ id, page }) => [id, page]));
	return flattenOutline(source.outline).flatMap(({ id, page }) => {
		const to = pages.get(counterparts.get(id) ?? '');
		return page === null || to === undefined || to === null ? [] : [{ from: page, to }];
	});
}

function flattenOutline(entries: readonly OutlineEntry[]): OutlineEntry[] {
	return entries.flatMap((entry) => [entry, ...flattenOutline(entry.children)]);
}
