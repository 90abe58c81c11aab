import { Center, Flex } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconArrowRight } from '@tabler/icons-react';
import { type MouseEvent, type ReactNode, useCallback, useRef, useState } from 'react';
import type { ShelfEdition } from '#contract/book/shelf.ts';
import { m } from '#messages';
import { useDocumentSearch } from '#web/features/book/search/use-document-search.ts';
import { PdfErrorState } from '#web/ui/pdf/document/pdf-error-state.tsx';
import { PdfViewer } from '#web/ui/pdf/viewer/pdf-viewer.tsx';
import type { PageTap } from '#web/ui/pdf/viewer/use-page-navigation.ts';
import { Button } from '#web/ui/primitives/button.tsx';
import { iconProps } from '#web/ui/primitives/icon.ts';
import { AnnotationTools } from '../annotations/annotation-tools.tsx';
import { findHighlightAt } from '../annotations/annotations.ts';
import { PageAnnotations } from '../annotations/page-annotations.tsx';
import { useAnnotationActions } from '../annotations/use-annotation-actions.ts';
import { pageAt } from '../annotations/use-text-selection.ts';
import type { EntryPoint } from '../reading-position/use-initial-position.ts';
import { createEditionNavigation } from './navigation/edition-navigation.ts';
import { ReaderProgress } from './navigation/reader-progress.tsx';
import { useJumpHistory } from './navigation/use-jump-history.ts';
import { useMinutesLeft } from './navigation/use-minutes-left.ts';
import classes from './reader.module.css';
import { useReaderLabels } from './reader-labels.ts';
import { ReaderLoading } from './reader-states.tsx';
import { chapterTicks } from './side-panel/chapters.ts';
import { ReaderPanels, type SidePanelTab } from './side-panel/reader-panels.tsx';
import { EditionSwitches } from './toolbar/edition-switches.tsx';
import { ReaderBar, type ReaderTitle } from './toolbar/reader-bar.tsx';
import { useReadingSettings } from './toolbar/use-reading-settings.ts';
import { useIsAtScrollEnd } from './use-is-at-scroll-end.ts';
import { type ReaderDocument, useOpenDocument } from './use-open-document.ts';
import { useReaderKeys } from './use-reader-keys.ts';

interface DocumentReaderProps {
	document: ReaderDocument;
	title: ReaderTitle;
	back: ReactNode;
	/** Shown when the server denies the file. */
	denied: ReactNode;
	/** The edition and its alternatives; undefined for a file. */
	book?: {
		edition: ShelfEdition;
		editions: readonly ShelfEdition[];
		onEdition: (edition: ShelfEdition, entryPoint?: EntryPoint) => void;
	};
	/** Where to begin, after a switch from another edition. */
	entryPoint?: EntryPoint | undefined;
}

/** An edition or a file in the reader, opened at the last position on any device. */
export function DocumentReader({ document: source, title, back, denied, book, entryPoint }: DocumentReaderProps) {
	const openDocument = useOpenDocument(source, entryPoint);
	const labels = useReaderLabels();
	const { pdf, document, place, page, pageCount, chapters, annotations, goTo } = openDocument;
	const settings = useReadingSettings();
	const [sideTab, setSideTab] = useState<SidePanelTab>('outline');
	const [isSideOpen, setSideOpen] = useState(false);
	const [areBarsHidden, setBarsHidden] = useState(false);
	const isWide = useMediaQuery('(min-width: 1024px)', true, { getInitialValueInEffect: false });
	const box = useRef<HTMLElement>(null);
	const search = useDocumentSearch(document);
	const minutesLeft = useMinutesLeft(place === null ? null : document, chapters, page);
	const { chapter } = openDocument;
	const annotationActions = useAnnotationActions({ document: source.key, annotations, page, chapter });
	const navigation = book && createEditionNavigation({ ...book, openDocument, entryPoint });
	const goBeyond = navigation?.goBeyond;
	const bookmark = place === null ? undefined : annotationActions.bookmark;
	const { jumpTo, jumpOrigin } = useJumpHistory(page, goTo);

	const openSide = useCallback((tab: SidePanelTab) => {
		setSideTab(tab);
		setSideOpen(true);
		setBarsHidden(false);
	}, []);
	const openSearch = useCallback(() => openSide('search'), [openSide]);
	const isAtEnd = useIsAtScrollEnd(box, document !== null && place !== null);
	const [isPageJumpOpen, setPageJumpOpen] = useState(false);
	const [preloadPage, setPreloadPage] = useState<number | null>(null);
	const togglePageJump = useCallback((is: boolean) => {
		setPageJumpOpen(is);
		setPreloadPage(null);
	}, []);
	const openPageJump = useCallback(() => togglePageJump(true), [togglePageJump]);
	useReaderKeys({ onSearch: openSearch, onBookmark: bookmark?.toggle, onJump: openPageJump });
	const openAnnotationAt = ({ target, x, y }: Pick<PageTap, 'x' | 'y'> & { target: EventTarget | null }) => {
		const point = pageAt(target, x, y);
		const annotation = point && findHighlightAt(annotations, point.page, point.at);
		if (annotation) annotationActions.open(annotation);
		return annotation != null;
	};
	const openPressedAnnotation = ({ target, clientX: x, clientY: y, nativeEvent }: MouseEvent) => {
		// Touch taps were handled on pointerup; by now the bars may have been toggled and the page moved.
		if (nativeEvent instanceof PointerEvent && nativeEvent.pointerType === 'touch') return;
		if (window.document.getSelection()?.isCollapsed === false) return;
		openAnnotationAt({ target, x, y });
	};

	if (pdf.state === 'denied') return denied;
	const isReading = document !== null && place !== null;
	const nextPart = isReading && page === pageCount ? navigation?.next : undefined;
	return (
		// With the night tone the frame around the page is dark too; otherwise it follows the theme.
		<div
			className={classes.reader}
			data-page={settings.tone}
			data-theme={settings.tone === 'night' ? 'dark' : undefined}
			data-bare={areBarsHidden || undefined}
		>
			<ReaderBar
				title={title}
				back={back}
				switches={book && navigation && <EditionSwitches {...book} onEdition={navigation.switchTo} />}
				settings={settings}
				onOutline={isWide ? undefined : () => openSide('outline')}
				onSearch={openSearch}
				bookmark={bookmark}
			/>
			<Flex mih={0} miw={0}>
				{document && (
					<ReaderPanels
						openDocument={{ ...openDocument, goTo: jumpTo }}
						annotationActions={annotationActions}
						search={search}
						tab={sideTab}
						onTab={setSideTab}
						isOpen={isSideOpen}
						onClose={() => setSideOpen(false)}
						onPreload={setPreloadPage}
						isWide={isWide}
					/>
				)}
				{/* biome-ignore lint/a11y/useKeyWithClickEvents: the list of annotations opens them by keyboard. */}
				<main
					id="content"
					tabIndex={-1}
					className={classes.stage}
					data-goes-on={nextPart && ''}
					onClick={openPressedAnnotation}
				>
					{pdf.state !== 'loading' && pdf.state !== 'open' ? (
						<Center flex={1} bg="var(--paper)">
							<PdfErrorState
								state={pdf.state}
								text={labels.failed}
								detail={m.reader_failed_detail()}
								onRetry={openDocument.retry}
							/>
						</Center>
					) : (
						!isReading && <ReaderLoading />
					)}
					{isReading && (
						<PdfViewer
							document={document}
							page={page}
							preloadPage={preloadPage}
							offset={place.offset}
							onPage={settings.flow === 'single' ? jumpTo : goTo}
							onOffset={goTo}
							zoom={settings.zoom}
							flow={settings.flow}
							onFail={openDocument.fail}
							renderAnnotations={(number) => <PageAnnotations annotations={annotations} page={number} />}
							searchHitsOf={sideTab === 'search' ? search.hitsOf : undefined}
							onTap={() => setBarsHidden((is) => !is)}
							interceptTap={openAnnotationAt}
							onBeyond={goBeyond}
							scrollBoxRef={box}
						/>
					)}
					{nextPart && isAtEnd && (
						<div className={classes.nextPart}>
							<Button variant="primary" icon={<IconArrowRight {...iconProps} />} onClick={() => goBeyond?.(1)}>
								{m.reader_next_part({ part: nextPart.part })}
							</Button>
						</div>
					)}
					<AnnotationTools box={box} page={page} annotationActions={annotationActions} />
				</main>
			</Flex>
			{pageCount > 0 && (
				<ReaderProgress
					page={page}
					pageCount={pageCount}
					ticks={chapterTicks(chapters, pageCount)}
					onPage={jumpTo}
					onPreload={setPreloadPage}
					jumpOrigin={jumpOrigin}
					minutesLeft={minutesLeft}
					isJumping={isPageJumpOpen}
					onJumping={togglePageJump}
				/>
			)}
		</div>
	);
}
