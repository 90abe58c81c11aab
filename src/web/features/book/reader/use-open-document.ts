import { useCallback, useEffect, useRef, useState } from 'react';
import type { Annotation } from '#contract/book/reading.ts';
import { serverNow } from '#web/platform/api/server-clock.ts';
import {
	type LocalReadingPosition,
	readLocalPosition,
	saveReadingPosition,
	storeLocalPosition,
	usePositionSync,
} from '#web/platform/browser/reading-position.ts';
import { useMe } from '#web/platform/session/session.ts';
import type { OutlineEntry } from '#web/ui/pdf/document/pdf-outline.ts';
import { usePdf } from '#web/ui/pdf/document/use-pdf.ts';
import { clampPage } from '#web/ui/pdf/viewer/page-size.ts';
import type { PagePosition } from '../reading-position/language-switch.ts';
import { type EntryPoint, useInitialPosition } from '../reading-position/use-initial-position.ts';
import { useChapterMatches } from '../shelf/shelf-api.ts';
import { useReading } from './reading-api.ts';
import { findCurrentIndex, useOutline } from './side-panel/chapters.ts';

const noOutline: readonly OutlineEntry[] = [];
const noAnnotations: readonly Annotation[] = [];
/** Smaller changes of the position are ignored. Unit: pages. */
const minOffsetChange = 0.02;

export interface ReaderDocument {
	/** Key of positions and annotations: the edition's key, or the file's id. */
	key: string;
	url: string;
	size: number;
	/** Of an edition. */
	language?: string;
}

export function useOpenDocument(edition: ReaderDocument, entryPoint: EntryPoint | undefined) {
	const me = useMe();
	const { pdf, fail, retry } = usePdf({ url: edition.url, sizeBytes: edition.size });
	const document = pdf.state === 'open' ? pdf.document : null;
	const pageCount = document?.numPages ?? 0;
	const outline = useOutline(document);
	const chapters = outline ?? noOutline;
	const reading = useReading(edition.key);
	const [local] = useState(() => readLocalPosition(me.id, edition.key));
	const saved = reading.data?.place ?? (reading.isPending ? undefined : null);
	const matches = useChapterMatches(
		typeof entryPoint === 'object' && edition.language !== undefined
			? { part: entryPoint.edition.part, from: entryPoint.edition.language, to: edition.language }
			: undefined,
	);
	const [place, setPlace] = useInitialPosition({ pageCount, outline, matches, entryPoint, saved, local });
	const positionSync = usePositionSync(
		async (position: Omit<LocalReadingPosition, 'at'>, at) =>
			(await saveReadingPosition(edition.key, { ...position, at })) !== null,
	);

	const chapterAt = useCallback(
		(page: number) => chapters[findCurrentIndex(chapters, page)]?.title ?? null,
		[chapters],
	);

	/** The last known position. A reported position that is about the same is not a move by the user, and is ignored. */
	const lastPosition = useRef<PagePosition | null>(null);
	const initialPosition = useRef<PagePosition | null>(null);
	useEffect(() => {
		lastPosition.current ??= place;
		initialPosition.current ??= place;
	}, [place]);
	const goTo = useCallback(
		(to: number, offset = 0) => {
			if (pageCount === 0) return;
			const page = clampPage(to, pageCount);
			if (lastPosition.current?.page === page && Math.abs(offset - lastPosition.current.offset) < minOffsetChange)
				return;
			lastPosition.current = { page, offset };
			setPlace(lastPosition.current);
			const readingPosition = { page, pageCount, offset, chapter: chapterAt(page) };
			storeLocalPosition(me.id, edition.key, { ...readingPosition, at: serverNow() });
			positionSync?.record(readingPosition);
		},
		[pageCount, chapterAt, me.id, edition.key, positionSync, setPlace],
	);
	const page = place?.page ?? 1;
	return {
		pdf,
		fail,
		retry,
		document,
		pageCount,
		chapters,
		isOutlineKnown: outline !== null,
		place,
		initialPosition,
		page,
		chapter: chapterAt(page),
		goTo,
		annotations: reading.data?.marks ?? noAnnotations,
	};
}
