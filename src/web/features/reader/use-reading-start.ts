import { useEffect, useState } from 'react';
import type { ReadingPlace as KeptPlace } from '#contract/reader/reading.ts';
import { laterPlace, type ReadingPlace } from '#web/platform/reading-place.ts';
import { clampPage } from '#web/ui/pdf/page-size.ts';
import type { OutlineEntry } from '#web/ui/pdf/pdf-outline.ts';
import { type ChapterPlace, pageOfChapterPlace } from './carry.ts';

/** Where to begin in an edition that one comes to from another: at an end of it, or where the other one was. */
export type Carry = ChapterPlace | 'first' | 'last';

/** A place on a page: how much of it lies above what is read, 0 to 1. */
export interface PagePlace {
	page: number;
	offset: number;
}

interface StartProps {
	pageCount: number;
	/** Null until it was read. */
	outline: readonly OutlineEntry[] | null;
	carry: Carry | undefined;
	/** Where the person was on any device; undefined until it is known, null without a place or without a line. */
	kept: KeptPlace | null | undefined;
	/** Where this browser was. */
	local: ReadingPlace | undefined;
}

/** Where reading begins: decided once, so that no other device moves the page under the reader's eyes. */
export function useReadingStart({ pageCount, outline, carry, kept, local }: StartProps) {
	const [place, setPlace] = useState<PagePlace | null>(null);
	useEffect(() => {
		if (place !== null || pageCount === 0 || kept === undefined) return;
		if (typeof carry === 'object' && outline === null) return;
		setPlace(startOf({ pageCount, outline: outline ?? [], carry, kept, local }));
	}, [place, pageCount, outline, carry, kept, local]);
	return [place, setPlace] as const;
}

/** The later of the two places, unless one comes from another edition. */
export function startOf({
	pageCount,
	outline,
	carry,
	kept,
	local,
}: StartProps & { outline: readonly OutlineEntry[]; kept: KeptPlace | null }): PagePlace {
	if (carry === 'first') return { page: 1, offset: 0 };
	if (carry === 'last') return { page: pageCount, offset: 0 };
	if (carry !== undefined) return { page: pageOfChapterPlace(outline, pageCount, carry), offset: 0 };
	const { page, offset } = laterPlace(kept, local) ?? { page: 1, offset: 0 };
	return { page: clampPage(page, pageCount), offset };
}
