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

/** Where to begin in an edition that one comes to from another: at an end of it, or where the other one was. */
export type EntryPoint = LanguageSwitchSource | 'first' | 'last';

interface InitialPositionOptions {
	pageCount: number;
	/** Null until it was read. */
	outline: readonly OutlineEntry[] | null;
	/** Of this part's two languages; undefined until they are known. */
	matches: ChapterMatches | undefined;
	entryPoint: EntryPoint | undefined;
	/** Where the person was on any device; undefined until it is known, null without a place or without a line. */
	saved: SavedPosition | null | undefined;
	/** Where this browser was. */
	local: LocalReadingPosition | undefined;
}

/** Where reading begins: decided once, so that no other device moves the page under the reader's eyes. */
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

/** The later of the two places, unless one comes from another edition. */
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
