import { useMediaQuery } from '@mantine/hooks';
import { IconArrowRight } from '@tabler/icons-react';
import { type MouseEvent, type ReactNode, useCallback, useRef, useState } from 'react';
import type { ShelfEdition } from '#contract/reader/reader.ts';
import { m } from '#messages';
import { Button } from '#web/ui/button.tsx';
import { iconProps } from '#web/ui/icon.ts';
import { PdfDesk } from '#web/ui/pdf/pdf-desk.tsx';
import { PdfFailed } from '#web/ui/pdf/pdf-failed.tsx';
import type { PageTap } from '#web/ui/pdf/use-page-turning.ts';
import { usePdfSearch } from '#web/ui/pdf/use-pdf-search.ts';
import { tickPlaces } from './chapters.ts';
import { EditionSwitches } from './edition-switches.tsx';
import { MarkTools } from './mark-tools.tsx';
import { markAt } from './marks.ts';
import { nextEditions } from './next-editions.ts';
import { PageMarks } from './page-marks.tsx';
import classes from './reader.module.css';
import { ReaderBar, type ReadTitle } from './reader-bar.tsx';
import { ReaderLoading } from './reader-loading.tsx';
import { ReaderPanels } from './reader-panels.tsx';
import { ReaderProgress } from './reader-progress.tsx';
import type { SidePart } from './reader-side.tsx';
import { useReaderWords } from './reader-words.ts';
import { useAtEnd } from './use-at-end.ts';
import { useJumps } from './use-jumps.ts';
import { useMinutesLeft } from './use-minutes-left.ts';
import { type ReadDocument, useOpenEdition } from './use-open-edition.ts';
import { useOpenMark } from './use-open-mark.ts';
import { useReaderKeys } from './use-reader-keys.ts';
import { useReadingSettings } from './use-reading-settings.ts';
import type { Carry } from './use-reading-start.ts';
import { pageAt } from './use-text-selection.ts';

interface OpenBookProps {
	document: ReadDocument;
	title: ReadTitle;
	/** The way out of the reader. */
	back: ReactNode;
	/** Stands there when its bytes are refused. */
	denied: ReactNode;
	/** The editions among which it is one; undefined for a file. */
	book?: {
		edition: ShelfEdition;
		editions: readonly ShelfEdition[];
		onEdition: (edition: ShelfEdition, carry?: Carry) => void;
	};
	/** Where to begin, when one comes from another edition. */
	carry?: Carry | undefined;
}

/** An edition or a file on the desk, opened where it was left on any device. */
export function OpenBook({ document: read, title, back, denied, book, carry }: OpenBookProps) {
	const open = useOpenEdition(read, carry);
	const words = useReaderWords();
	const { pdf, document, place, page, pageCount, chapters, marks, goTo } = open;
	const settings = useReadingSettings();
	const [sidePart, setSidePart] = useState<SidePart>('outline');
	const [isSideOpen, setSideOpen] = useState(false);
	const [isBare, setBare] = useState(false);
	const hasRoom = useMediaQuery('(min-width: 1024px)', true, { getInitialValueInEffect: false });
	const box = useRef<HTMLElement>(null);
	const search = usePdfSearch(document);
	const minutesLeft = useMinutesLeft(place === null ? null : document, chapters, page);
	const openMark = useOpenMark({ document: read.key, marks, page, chapter: open.chapter });
	const ways = book && nextEditions({ ...book, open, carry });
	const goBeyond = ways?.goBeyond;
	const bookmark = place === null ? undefined : openMark.bookmark;

	const { jumpTo, before } = useJumps(page, goTo);

	const openSide = useCallback((part: SidePart) => {
		setSidePart(part);
		setSideOpen(true);
		setBare(false);
	}, []);
	const openSearch = useCallback(() => openSide('search'), [openSide]);
	const isAtEnd = useAtEnd(box, document !== null && place !== null);
	const [isJumping, setJumping] = useState(false);
	const [likely, setLikely] = useState<number | null>(null);
	const askJump = useCallback((is: boolean) => {
		setJumping(is);
		setLikely(null);
	}, []);
	const openJump = useCallback(() => askJump(true), [askJump]);
	useReaderKeys({ onSearch: openSearch, onBookmark: bookmark?.toggle, onJump: openJump });
	const marksOf = useCallback(
		(number: number) => {
			const own = marks.filter((mark) => mark.page === number);
			return own.length === 0 ? null : <PageMarks marks={own} />;
		},
		[marks],
	);
	const openMarkAt = ({ target, x, y }: Pick<PageTap, 'x' | 'y'> & { target: EventTarget | null }) => {
		const where = pageAt(target, x, y);
		const mark = where && markAt(marks, where.page, where.at);
		if (mark) openMark.open(mark);
		return mark != null;
	};
	const onPressed = ({ target, clientX: x, clientY: y, nativeEvent }: MouseEvent) => {
		// A finger's tap was heard before: by now the bars may have come or gone, and the page lies elsewhere.
		if (nativeEvent instanceof PointerEvent && nativeEvent.pointerType === 'touch') return;
		if (window.document.getSelection()?.isCollapsed === false) return;
		openMarkAt({ target, x, y });
	};

	if (pdf.state === 'denied') return denied;
	const hasFailed = pdf.state !== 'loading' && pdf.state !== 'open';
	const isReading = document !== null && place !== null;
	const onward = isReading && page === pageCount ? ways?.next : undefined;
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
				back={back}
				switches={book && ways && <EditionSwitches {...book} onEdition={ways.switchTo} />}
				settings={settings}
				onOutline={hasRoom ? undefined : () => openSide('outline')}
				onSearch={openSearch}
				bookmark={bookmark}
			/>
			<div className={classes.middle}>
				{document && (
					<ReaderPanels
						open={{ ...open, goTo: jumpTo }}
						openMark={openMark}
						search={search}
						part={sidePart}
						onPart={setSidePart}
						isOpen={isSideOpen}
						onClose={() => setSideOpen(false)}
						onLikely={setLikely}
						hasRoom={hasRoom}
					/>
				)}
				{/* biome-ignore lint/a11y/useKeyWithClickEvents: the list of marks opens them by keyboard. */}
				<main id="content" tabIndex={-1} className={classes.stage} data-goes-on={onward && ''} onClick={onPressed}>
					{hasFailed && (
						<div className={classes.face}>
							<PdfFailed state={pdf.state} text={words.failed} detail={m.reader_failed_detail()} onRetry={open.retry} />
						</div>
					)}
					{!hasFailed && !isReading && <ReaderLoading />}
					{isReading && (
						<PdfDesk
							document={document}
							page={page}
							likely={likely}
							offset={place.offset}
							onPage={settings.flow === 'single' ? jumpTo : goTo}
							onOffset={goTo}
							zoom={settings.zoom}
							flow={settings.flow}
							onFail={open.fail}
							marksOf={marksOf}
							findsOf={sidePart === 'search' ? search.findsOf : undefined}
							onTap={() => setBare((is) => !is)}
							takesTap={openMarkAt}
							onBeyond={goBeyond}
							boxRef={box}
						/>
					)}
					{onward && isAtEnd && (
						<div className={classes.goOn}>
							<Button variant="primary" icon={<IconArrowRight {...iconProps} />} onClick={() => goBeyond?.(1)}>
								{m.reader_go_on({ part: onward.part })}
							</Button>
						</div>
					)}
					<MarkTools box={box} page={page} openMark={openMark} />
				</main>
			</div>
			{pageCount > 0 && (
				<ReaderProgress
					page={page}
					pageCount={pageCount}
					ticks={tickPlaces(chapters, pageCount)}
					onPage={jumpTo}
					onLikely={setLikely}
					before={before}
					minutesLeft={minutesLeft}
					isJumping={isJumping}
					onJumping={askJump}
				/>
			)}
		</div>
	);
}
