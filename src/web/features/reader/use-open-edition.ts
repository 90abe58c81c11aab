import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { ReadingMark } from '#contract/reader/reading.ts';
import { recallPlace, rememberPlace } from '#web/platform/reading-place.ts';
import { serverNow } from '#web/platform/server-clock.ts';
import { useMe } from '#web/platform/session.ts';
import { clampPage } from '#web/ui/pdf/page-size.ts';
import type { OutlineEntry } from '#web/ui/pdf/pdf-outline.ts';
import { usePdf } from '#web/ui/pdf/use-pdf.ts';
import type { PagePlace } from './carry.ts';
import { findCurrent } from './chapters.ts';
import { useOutlinePairs } from './reader.api.ts';
import { usePlaceKeeper, useReading } from './reading.api.ts';
import { useOutline } from './use-outline.ts';
import { type Carry, useReadingStart } from './use-reading-start.ts';

const noOutline: readonly OutlineEntry[] = [];
const noMarks: readonly ReadingMark[] = [];
/** Less than this share of a page is no other place. */
const offsetLeast = 0.02;

/** An edition of the book, or a PDF among one's files. */
export interface ReadDocument {
	/** What places and marks are kept by: the edition's key, or the file's id. */
	key: string;
	/** Address of the bytes. */
	url: string;
	/** Of the bytes. */
	size: number;
}

/** A document being read: its pages, its chapters, where one is in it, and one's marks. */
export function useOpenEdition(edition: ReadDocument, carry: Carry | undefined) {
	const me = useMe();
	const { pdf, fail, retry } = usePdf({ url: edition.url, sizeBytes: edition.size });
	const document = pdf.state === 'open' ? pdf.document : null;
	const pageCount = document?.numPages ?? 0;
	const outline = useOutline(document);
	const chapters = outline ?? noOutline;
	const reading = useReading(edition.key);
	const [local] = useState(() => recallPlace(window.localStorage, me.id, edition.key));
	const kept = reading.data?.place ?? (reading.isPending ? undefined : null);
	const pairs = useOutlinePairs(typeof carry === 'object' ? carry.edition.part : undefined);
	const [place, setPlace] = useReadingStart({ pageCount, outline, pairs, carry, kept, local });
	const keeper = usePlaceKeeper(edition.key, null);

	/** Where one was last: whoever opens a book, or sizes its window, has not moved. */
	const at = useRef<PagePlace | null>(null);
	const arrived = useRef<PagePlace | null>(null);
	useEffect(() => {
		at.current ??= place;
		arrived.current ??= place;
	}, [place]);
	const goTo = useCallback(
		(to: number, offset = 0) => {
			if (pageCount === 0) return;
			const page = clampPage(to, pageCount);
			if (at.current?.page === page && Math.abs(offset - at.current.offset) < offsetLeast) return;
			at.current = { page, offset };
			setPlace(at.current);
			const where = { page, pageCount, offset, chapter: chapters[findCurrent(chapters, page)]?.title ?? null };
			rememberPlace(window.localStorage, me.id, edition.key, { ...where, at: serverNow() });
			keeper?.note(where);
		},
		[pageCount, chapters, me.id, edition.key, keeper, setPlace],
	);
	const page = place?.page ?? 1;
	return {
		pdf,
		fail,
		retry,
		/** Null until it is open. */
		document,
		pageCount,
		chapters,
		isOutlineKnown: outline !== null,
		/** Null until it is known where to begin. */
		place,
		/** Where one began; null until it is known. */
		arrived,
		page,
		/** The one that is open; null without an outline. */
		chapter: chapters[findCurrent(chapters, page)]?.title ?? null,
		goTo,
		marks: useMemo(() => reading.data?.marks ?? noMarks, [reading.data]),
	};
}
