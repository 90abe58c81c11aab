import { useEffect, useState } from 'react';
import type { ReadingPlace as KeptPlace } from '#contract/reader/reading.ts';
import { laterPlace, type ReadingPlace } from '#web/platform/reading-place.ts';
import { clampPage } from '#web/ui/pdf/page-size.ts';
import type { OutlineEntry } from '#web/ui/pdf/pdf-outline.ts';
import { type LeftPlace, type PagePlace, type Pairs, placeAcross } from './carry.ts';

/** Where to begin in an edition that one comes to from another: at an end of it, or where the other one was. */
export type Carry = LeftPlace | 'first' | 'last';

interface StartProps {
	pageCount: number;
	/** Null until it was read. */
	outline: readonly OutlineEntry[] | null;
	/** Of this part's two languages; undefined until they are known. */
	pairs: Pairs | undefined;
	carry: Carry | undefined;
	/** Where the person was on any device; undefined until it is known, null without a place or without a line. */
	kept: KeptPlace | null | undefined;
	/** Where this browser was. */
	local: ReadingPlace | undefined;
}

/** Where reading begins: decided once, so that no other device moves the page under the reader's eyes. */
export function useReadingStart({ pageCount, outline, pairs, carry, kept, local }: StartProps) {
	const [place, setPlace] = useState<PagePlace | null>(null);
	useEffect(() => {
		if (place !== null || pageCount === 0 || kept === undefined) return;
		if (typeof carry === 'object' && (outline === null || pairs === undefined)) return;
		setPlace(startOf({ pageCount, outline: outline ?? [], pairs: pairs ?? [], carry, kept, local }));
	}, [place, pageCount, outline, pairs, carry, kept, local]);
	return [place, setPlace] as const;
}

/** The later of the two places, unless one comes from another edition. */
export function startOf({
	pageCount,
	outline,
	pairs,
	carry,
	kept,
	local,
}: StartProps & { outline: readonly OutlineEntry[]; pairs: Pairs; kept: KeptPlace | null }): PagePlace {
	if (carry === 'first') return { page: 1, offset: 0 };
	if (carry === 'last') return { page: pageCount, offset: 0 };
	if (carry !== undefined) {
		const { page, offset } = placeAcross(carry, { outline, pageCount }, pairs);
		return { page: clampPage(page, pageCount), offset };
	}
	const { page, offset } = laterPlace(kept, local) ?? { page: 1, offset: 0 };
	return { page: clampPage(page, pageCount), offset };
}
