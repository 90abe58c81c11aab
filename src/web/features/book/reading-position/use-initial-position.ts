import { useState } from 'react';
import type { ReadingPosition as SavedPosition } from '#contract/book/reading.ts';
import { type LocalReadingPosition, laterPosition } from '#web/platform/browser/reading-position.ts';
import type { OutlineEntry } from '#web/ui/pdf/document/pdf-outline.ts';
import { clampPage } from '#web/ui/pdf/viewer/page-size.ts';
import {
	type ChapterMatches,
	type LanguageSwitchSource,
	type PagePosition,
	translatePosition,
} from './language-switch.ts';

/** Where an edition opens after a switch: at its first or last page, or at the corresponding position. */
export type EntryPoint = LanguageSwitchSource | 'first' | 'last';

interface InitialPositionOptions {
	pageCount: number;
	outline: readonly OutlineEntry[] | null;
	/** Undefined while loading. */
	matches: ChapterMatches | undefined;
	entryPoint: EntryPoint | undefined;
	/** The server's position; undefined while loading, null if there is no position or loading has failed. */
	saved: SavedPosition | null | undefined;
	local: LocalReadingPosition | undefined;
}

/** The initial position is chosen only once, so that reading on another device does not move the page. */
export function useInitialPosition(options: InitialPositionOptions) {
	const { pageCount, outline, matches, entryPoint, saved } = options;
	const [position, setPosition] = useState<PagePosition | null>(null);
	const isKnown =
		pageCount > 0 &&
		saved !== undefined &&
		(typeof entryPoint !== 'object' || (outline !== null && matches !== undefined));
	if (isKnown && position === null) setPosition(chooseInitialPosition(options));
	return [position, setPosition] as const;
}

/** Without an entry point, returns the newer of the saved and the local position. */
export function chooseInitialPosition(options: InitialPositionOptions): PagePosition {
	const { pageCount, outline, matches, entryPoint, saved, local } = options;
	if (entryPoint === 'first') return { page: 1, offset: 0 };
	if (entryPoint === 'last') return { page: pageCount, offset: 0 };
	const { page, offset } =
		entryPoint === undefined
			? (laterPosition(saved ?? null, local) ?? { page: 1, offset: 0 })
			: translatePosition(entryPoint, { outline: outline ?? [], pageCount }, matches ?? []);
	return { page: clampPage(page, pageCount), offset };
}
