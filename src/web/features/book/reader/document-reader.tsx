import { Center, Flex } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconArrowRight } from '@tabler/icons-react';
import { type MouseEvent, type ReactNode, useContext, useRef, useState } from 'react';
import type { OfferedEditions } from '#contract/book/editions.ts';
import type { ShelfEdition } from '#contract/book/shelf.ts';
import { m } from '#messages';
import { getLocale } from '#messages/runtime';
import { useDocumentSearch } from '#web/features/book/search/use-document-search.ts';
import { PdfErrorState } from '#web/ui/pdf/viewer/pdf-pane.tsx';
import { PdfViewer } from '#web/ui/pdf/viewer/pdf-viewer.tsx';
import type { PageTap } from '#web/ui/pdf/viewer/use-page-navigation.ts';
import { Button } from '#web/ui/primitives/button.tsx';
import { AnnotationTools } from '../annotations/annotation-tools.tsx';
import { findHighlightAt } from '../annotations/annotations.ts';
import { PageAnnotations } from '../annotations/page-annotations.tsx';
import { useAnnotationActions } from '../annotations/use-annotation-actions.ts';
import { pageAt } from '../annotations/use-text-selection.ts';
import type { EntryPoint } from '../reading-position/use-initial-position.ts';
import { createEditionNavigation, type OpenBook } from './navigation/edition-navigation.ts';
import { ReaderProgress, useJumpHistory } from './navigation/reader-progress.tsx';
import { useMinutesLeft } from './navigation/use-minutes-left.ts';
import classes from './reader.module.css';
import { ReaderLabels, ReaderLoading } from './reader-states.tsx';
import { chapterTicks } from './side-panel/chapters.ts';
import { ReaderPanels, type SidePanelTab } from './side-panel/reader-panels.tsx';
import { EditionSwitches } from './toolbar/edition-switches.tsx';
import { ReaderBar, type ReaderTitle, useReaderKeys } from './toolbar/reader-bar.tsx';
import { useReadingSettings } from './toolbar/view-settings-menu.tsx';
import { type ReaderDocument, useOpenDocument } from './use-open-document.ts';

interface DocumentReaderProps {
	document: ReaderDocument;
	title: ReaderTitle;
	back: ReactNode;
	denied: ReactNode;
	book?: OpenBook;
	entryPoint?: EntryPoint | undefined;
}

function nextPartLabel({ part }: ShelfEdition, offered: OfferedEditions | undefined): string {
	const name = offered?.parts.find(({ number }) => number === part)?.name[getLocale()];
	return name ? m.reader_next_part_named({ name }) : m.reader_next_part({ part });
}

/** Opens an edition or a file at the entry point, or where the user last read the document on any device. */
export function DocumentReader({ document: source, title, back, denied, book, entryPoint }: DocumentReaderProps) {
	const openDocument = useOpenDocument(source, entryPoint);
	const labels = useContext(ReaderLabels);
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

	const openSide = (tab: SidePanelTab) => {
		setSideTab(tab);
		setSideOpen(true);
		setBarsHidden(false);
	};
	const openSearch = () => openSide('search');
	const [isPageJumpOpen, setPageJumpOpen] = useState(false);
	const [preloadPage, setPreloadPage] = useState<number | null>(null);
	const togglePageJump = (isOpen: boolean) => {
		setPageJumpOpen(isOpen);
		setPreloadPage(null);
	};
	useReaderKeys({ onSearch: openSearch, onBookmark: bookmark?.toggle, onJump: () => togglePageJump(true) });
	const openAnnotationAt = ({ target, x, y }: Pick<PageTap, 'x' | 'y'> & { target: EventTarget | null }) => {
		const point = pageAt(target, x, y);
		const annotation = point && findHighlightAt(annotations, point.page, point.at);
		if (annotation) annotationActions.open(annotation);
		return annotation != null;
	};
	const openPressedAnnotation = ({ target, clientX: x, clientY: y, nativeEvent }: MouseEvent) => {
		// Touch taps are handled on pointerup, because the page may move between pointerup and click.
		if (nativeEvent instanceof PointerEvent && nativeEvent.pointerType === 'touch') return;
		if (window.document.getSelection()?.isCollapsed === false) return;
		openAnnotationAt({ target, x, y });
	};

	if (pdf.state === 'denied') return denied;
	const isReading = document !== null && place !== null;
	const nextPart = isReading && page === pageCount ? navigation?.next : undefined;
	return (
		// The night tone makes the area around the page dark in every theme.
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
				{/* biome-ignore lint/a11y/useKeyWithClickEvents: annotations can be opened by keyboard in their list. */}
				<main id="content" tabIndex={-1} className={classes.stage} onClick={openPressedAnnotation}>
					{pdf.state !== 'loading' && pdf.state !== 'open' ? (
						<Center flex={1} bg="var(--paper)">
							<PdfErrorState
								state={pdf.state}
								text={labels.failed()}
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
							onTap={() => setBarsHidden((areHidden) => !areHidden)}
							interceptTap={openAnnotationAt}
							onBeyond={goBeyond}
							after={
								nextPart && (
									<Button variant="primary" icon={IconArrowRight} onClick={() => goBeyond?.(1)}>
										{nextPartLabel(nextPart, book?.offered)}
									</Button>
								)
							}
							scrollBoxRef={box}
						/>
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
					isOpen={isPageJumpOpen}
					onOpen={togglePageJump}
				/>
			)}
		</div>
	);
}
