import { Drawer } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconArrowRight } from '@tabler/icons-react';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import { type MouseEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { ShelfEdition } from '#contract/reader/reader.ts';
import { m } from '#messages';
import { useMe } from '#web/platform/session.ts';
import { Button } from '#web/ui/button.tsx';
import { FailedState } from '#web/ui/faces.tsx';
import { iconProps } from '#web/ui/icon.ts';
import { clampPage } from '#web/ui/pdf/page-size.ts';
import { PdfDesk } from '#web/ui/pdf/pdf-desk.tsx';
import { type OutlineEntry, readOutline } from '#web/ui/pdf/pdf-outline.ts';
import { usePdf } from '#web/ui/pdf/use-pdf.ts';
import { usePdfSearch } from '#web/ui/pdf/use-pdf-search.ts';
import { chapterPlaceOf } from './carry.ts';
import { findCurrent, tickPlaces } from './chapters.ts';
import { MarkTools } from './mark-tools.tsx';
import { markAt } from './marks.ts';
import { PageMarks } from './page-marks.tsx';
import classes from './reader.module.css';
import { ReaderBar } from './reader-bar.tsx';
import { NoAccess } from './reader-faces.tsx';
import { ReaderLoading } from './reader-loading.tsx';
import { ReaderMarks } from './reader-marks.tsx';
import { ReaderOutline } from './reader-outline.tsx';
import { ReaderProgress } from './reader-progress.tsx';
import { ReaderSearch } from './reader-search.tsx';
import sideClasses from './reader-side.module.css';
import { ReaderSide, type SidePart } from './reader-side.tsx';
import { usePlaceKeeper, useReading } from './reading.api.ts';
import { recallPlace, rememberPlace } from './reading-place.ts';
import { useMinutesLeft } from './use-minutes-left.ts';
import { useOpenMark } from './use-open-mark.ts';
import { useReadingSettings } from './use-reading-settings.ts';
import { type Carry, useReadingStart } from './use-reading-start.ts';
import { pageAt } from './use-text-selection.ts';

interface OpenBookProps {
	title: string;
	edition: ShelfEdition;
	editions: readonly ShelfEdition[];
	/** Where to begin, when one comes from another edition. */
	carry: Carry | undefined;
	onEdition: (edition: ShelfEdition, carry?: Carry) => void;
}

/** Less than this share of a page is no other place. */
const offsetLeast = 0.02;

/** One edition on the desk, opened where it was left on any device. */
export function OpenBook({ title, edition, editions, carry, onEdition }: OpenBookProps) {
	const me = useMe();
	const { pdf, fail, retry } = usePdf({ url: edition.url, sizeBytes: edition.size });
	const document = pdf.state === 'open' ? pdf.document : null;
	const pageCount = document?.numPages ?? 0;
	const outline = useOutline(document);
	const reading = useReading(edition.key);
	const [local] = useState(() => recallPlace(window.localStorage, me.id, edition.key));
	const kept = reading.data?.place ?? (reading.isPending ? undefined : null);
	const [place, setPlace] = useReadingStart({ pageCount, outline, carry, kept, local });
	const page = place?.page ?? 1;
	const settings = useReadingSettings();
	const [sidePart, setSidePart] = useState<SidePart>('outline');
	const [isSideOpen, setSideOpen] = useState(false);
	const [isBare, setBare] = useState(false);
	const hasRoom = useMediaQuery('(min-width: 1024px)', true, { getInitialValueInEffect: false });
	const box = useRef<HTMLElement>(null);
	const { search, start, goTo, findsOf } = usePdfSearch(document);
	const marks = useMemo(() => reading.data?.marks ?? [], [reading.data]);
	const chapters = outline ?? [];
	const chapter = chapters[findCurrent(chapters, page)]?.title ?? null;
	const minutesLeft = useMinutesLeft(place === null ? null : document, chapters, page);
	const openMark = useOpenMark({ document: edition.key, marks, page, chapter });

	const at = useRef({ page: 0, offset: 0 });
	const keeper = usePlaceKeeper(edition.key, null);
	const goToPage = useCallback(
		(to: number, offset = 0) => {
			if (pageCount === 0) return;
			const next = clampPage(to, pageCount);
			const { page: from, offset: fromOffset } = at.current;
			if (next === from && Math.abs(offset - fromOffset) < offsetLeast) return;
			at.current = { page: next, offset };
			const title = chapters[findCurrent(chapters, next)]?.title ?? null;
			const where = { page: next, pageCount, offset, chapter: title };
			setPlace({ page: next, offset });
			rememberPlace(window.localStorage, me.id, edition.key, { ...where, at: Date.now() });
			keeper?.note(where);
		},
		[pageCount, chapters, me.id, edition.key, keeper, setPlace],
	);

	const openSide = useCallback((part: SidePart) => {
		setSidePart(part);
		setSideOpen(true);
		setBare(false);
	}, []);
	const openSearch = useCallback(() => openSide('search'), [openSide]);
	useSearchKeys(openSearch);
	useBookmarkKey(place === null ? undefined : openMark.bookmark.toggle);
	const goFromSide = useCallback(
		(to: number) => {
			goToPage(to);
			if (!hasRoom) setSideOpen(false);
		},
		[goToPage, hasRoom],
	);
	const goToFind = useCallback(
		(index: number) => {
			const find = search.finds[index];
			if (find === undefined) return;
			goTo(index);
			goFromSide(find.page);
		},
		[search.finds, goTo, goFromSide],
	);
	const marksOf = useCallback(
		(number: number) => {
			const own = marks.filter((mark) => mark.page === number);
			return own.length === 0 ? null : <PageMarks marks={own} />;
		},
		[marks],
	);
	const onPressed = (event: MouseEvent) => {
		const where =
			window.document.getSelection()?.isCollapsed === false ? null : pageAt(event.target, event.clientX, event.clientY);
		const mark = where && markAt(marks, where.page, where.at);
		if (mark) openMark.open(mark);
	};

	const neighbour = (step: 1 | -1) =>
		editions.find(({ part, language }) => part === edition.part + step && language === edition.language);
	const [before, next] = [neighbour(-1), neighbour(1)];
	const goBeyond = (step: 1 | -1) => {
		const to = step === 1 ? next : before;
		if (to !== undefined) onEdition(to, step === 1 ? 'first' : 'last');
	};
	/** Another language of the same part goes on where this one is. */
	const switchTo = (to: ShelfEdition) => {
		const isSamePart = to.part === edition.part && place !== null && outline !== null;
		onEdition(to, isSamePart ? chapterPlaceOf(outline, pageCount, page, place.offset) : undefined);
	};

	if (pdf.state === 'denied') return <NoAccess />;
	const hasOutline = chapters.length > 0;
	const parts: SidePart[] = hasOutline ? ['outline', 'search', 'marks'] : ['search', 'marks'];
	const part = parts.includes(sidePart) ? sidePart : 'search';
	const isSideFixed = hasRoom && hasOutline;
	const side = (
		<ReaderSide
			part={part}
			parts={parts}
			onPart={setSidePart}
			onClose={isSideFixed ? undefined : () => setSideOpen(false)}
		>
			{part === 'outline' && <ReaderOutline entries={chapters} page={page} pageCount={pageCount} onPage={goFromSide} />}
			{part === 'search' && <ReaderSearch search={search} pageCount={pageCount} onSearch={start} onFind={goToFind} />}
			{part === 'marks' && (
				<ReaderMarks
					marks={marks}
					onMark={(mark) => {
						goFromSide(mark.page);
						openMark.open(mark);
					}}
				/>
			)}
		</ReaderSide>
	);
	return (
		// At night the frame around the page is dark too, whatever the theme; by day it follows the theme.
		<div
			className={classes.reader}
			data-page={settings.tone}
			data-theme={settings.tone === 'night' ? 'dark' : undefined}
			data-bare={isBare || undefined}
		>
			<ReaderBar
				title={title}
				edition={edition}
				editions={editions}
				onEdition={switchTo}
				settings={settings}
				onOutline={hasRoom ? undefined : () => openSide(part)}
				onSearch={openSearch}
				bookmark={place === null ? undefined : openMark.bookmark}
			/>
			<div className={classes.middle}>
				{hasRoom && document && (hasOutline || isSideOpen) && side}
				{/* biome-ignore lint/a11y/useKeyWithClickEvents: the list of marks opens them by keyboard. */}
				<main id="content" tabIndex={-1} className={classes.stage} onClick={onPressed}>
					{pdf.state === 'failed' && (
						<div className={classes.face}>
							<FailedState text={m.reader_failed()} detail={m.reader_failed_detail()} onRetry={retry} />
						</div>
					)}
					{(pdf.state === 'loading' || (document && place === null)) && <ReaderLoading />}
					{document && place && (
						<PdfDesk
							document={document}
							page={page}
							offset={place.offset}
							onPage={goToPage}
							onOffset={goToPage}
							zoom={settings.zoom}
							flow={settings.flow}
							onFail={fail}
							marksOf={marksOf}
							findsOf={findsOf}
							onTap={() => setBare((is) => !is)}
							onBeyond={next || before ? goBeyond : undefined}
							boxRef={box}
						/>
					)}
					{document && place && next && page === pageCount && (
						<div className={classes.goOn}>
							<Button variant="primary" icon={<IconArrowRight {...iconProps} />} onClick={() => goBeyond(1)}>
								{m.reader_go_on({ part: next.part })}
							</Button>
						</div>
					)}
					<MarkTools box={box} openMark={openMark} />
				</main>
			</div>
			{pageCount > 0 && (
				<ReaderProgress
					page={page}
					pageCount={pageCount}
					ticks={tickPlaces(chapters, pageCount)}
					onPage={goToPage}
					minutesLeft={minutesLeft}
				/>
			)}
			<Drawer.Root opened={isSideOpen && !hasRoom} onClose={() => setSideOpen(false)} position="left" padding={0}>
				<Drawer.Overlay backgroundOpacity={1} color="var(--scrim)" />
				<Drawer.Content className={sideClasses.drawer ?? ''} aria-label={m.reader_side()}>
					{side}
				</Drawer.Content>
			</Drawer.Root>
		</div>
	);
}

/** `b` sets a bookmark, or takes it off. */
function useBookmarkKey(toggle: (() => void) | undefined): void {
	useEffect(() => {
		const onKey = (event: KeyboardEvent) => {
			if (event.key !== 'b' || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
			if (!(event.target instanceof Element && event.target.matches('input, textarea, select'))) toggle?.();
		};
		window.addEventListener('keydown', onKey);
		return () => window.removeEventListener('keydown', onKey);
	}, [toggle]);
}

/** `/` and the browser's own key for searching: its own search does not know the pages that are not drawn. */
function useSearchKeys(open: () => void): void {
	useEffect(() => {
		const onKey = (event: KeyboardEvent) => {
			const isFind = event.key.toLowerCase() === 'f' && (event.ctrlKey || event.metaKey) && !event.altKey;
			const isTyping = event.target instanceof Element && event.target.matches('input, textarea, select');
			const isSlash = event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping;
			if (!isFind && !isSlash) return;
			event.preventDefault();
			open();
		};
		window.addEventListener('keydown', onKey);
		return () => window.removeEventListener('keydown', onKey);
	}, [open]);
}

/** The document's outline; null until it was read. */
function useOutline(pdf: PDFDocumentProxy | null): OutlineEntry[] | null {
	const [read, setRead] = useState<{ of: PDFDocumentProxy; outline: OutlineEntry[] }>();
	useEffect(() => {
		if (pdf === null) return;
		let isOver = false;
		readOutline(pdf)
			.catch((error: unknown) => {
				// A book whose outline cannot be read is still a book.
				console.error(error);
				return [];
			})
			.then((outline) => {
				if (!isOver) setRead({ of: pdf, outline });
			});
		return () => {
			isOver = true;
		};
	}, [pdf]);
	return read !== undefined && read.of === pdf ? read.outline : null;
}
