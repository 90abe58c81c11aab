import { useEffect, useState } from 'react';
import type { ReadingPosition as SavedPosition } from '#contract/book/reading.ts';
import { type LocalReadingPosition, laterPosition } from '#web/platform/browser/local-reading-position.ts';
import type { OutlineEntry } from '#web/ui/pdf/document/pdf-outline.ts';
import { clampPage } from '#web/ui/pdf/viewer/page-size.ts';
import {
	type ChapterMatches,
	type LanguageSwitchSource,
	type PagePosition,
	translatePosition,
} from './language-switch.ts';

/** How an edition is opened from another: at its first or last page, or at the corresponding position. */
export type EntryPoint = LanguageSwitchSource | 'first' | 'last';

interface InitialPositionOptions {
	pageCount: number;
	/** Null until the outline has been read. */
	outline: readonly OutlineEntry[] | null;
	/** Matches of this part's two languages; undefined until they are known. */
	matches: ChapterMatches | undefined;
	entryPoint: EntryPoint | undefined;
	/** The server's position; undefined until it is known, null if there is none or no connection. */
	saved: SavedPosition | null | undefined;
	/** This browser's position. */
	local: LocalReadingPosition | undefined;
}

/** The position at which reading begins. It is decided once, so that another device does not move the page later. */
export function useInitialPosition({
	pageCount,
	outline,
	matches: pairs,
	entryPoint: carry,
	saved: kept,
	local,
}: InitialPositionOptions) {
	const [position, setPosition] = useState<PagePosition | null>(null);
	useEffect(() => {
		if (position !== null || pageCount === 0 || kept === undefined) return;
		if (typeof carry === 'object' && (outline === null || pairs === undefined)) return;
		setPosition(
			chooseInitialPosition({
				pageCount,
				outline: outline ?? [],
				matches: pairs ?? [],
				entryPoint: carry,
				saved: kept,
				local,
			}),
		);
	}, [position, pageCount, outline, pairs, carry, kept, local]);
	return [position, setPosition] as const;
}

/** The later of the two positions, unless the edition was opened from another one. */
export function chooseInitialPosition({
	pageCount,
	outline,
	matches: pairs,
	entryPoint: carry,
	saved: kept,
	local,
}: InitialPositionOptions & {
	outline: readonly OutlineEntry[];
	matches: ChapterMatches;
	saved: SavedPosition | null;
}): PagePosition {
	if (carry === 'first') return { page: 1, offset: 0 };
	if (carry === 'last') return { page: pageCount, offset: 0 };
	if (carry !== undefined) {
		const { page, offset } = translatePosition(carry, { outline, pageCount }, pairs);
		return { page: clampPage(page, pageCount), offset };
	}
	const { page, offset } = laterPosition(kept, local) ?? { page: 1, offset: 0 };
	return { page: clampPage(page, pageCount), offset };
}
