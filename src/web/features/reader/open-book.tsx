import { Drawer } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import { useCallback, useEffect, useState } from 'react';
import type { ShelfEdition } from '#contract/reader/reader.ts';
import { m } from '#messages';
import { useMe } from '#web/platform/session.ts';
import { FailedState } from '#web/ui/faces.tsx';
import { clampPage } from '#web/ui/pdf/page-size.ts';
import { PdfDesk } from '#web/ui/pdf/pdf-desk.tsx';
import { type OutlineEntry, readOutline } from '#web/ui/pdf/pdf-outline.ts';
import { usePdf } from '#web/ui/pdf/use-pdf.ts';
import { usePdfSearch } from '#web/ui/pdf/use-pdf-search.ts';
import { findCurrent, tickPlaces } from './chapters.ts';
import classes from './reader.module.css';
import { ReaderBar } from './reader-bar.tsx';
import { NoAccess } from './reader-faces.tsx';
import { ReaderLoading } from './reader-loading.tsx';
import { ReaderOutline } from './reader-outline.tsx';
import { ReaderProgress } from './reader-progress.tsx';
import { ReaderSearch } from './reader-search.tsx';
import sideClasses from './reader-side.module.css';
import { ReaderSide, type SidePart } from './reader-side.tsx';
import { recallPlace, rememberPlace } from './reading-place.ts';
import { useReadingSettings } from './use-reading-settings.ts';

interface OpenBookProps {
	title: string;
	edition: ShelfEdition;
	editions: readonly ShelfEdition[];
	onEdition: (edition: ShelfEdition) => void;
}

/** One edition on the desk, opened where it was left. */
export function OpenBook({ title, edition, editions, onEdition }: OpenBookProps) {
	const me = useMe();
	const { pdf, fail, retry } = usePdf({ url: edition.url, sizeBytes: edition.size });
	const [wanted, setPage] = useState(() => recallPlace(window.localStorage, me.id, edition.key)?.page ?? 1);
	const settings = useReadingSettings();
	const [sidePart, setSidePart] = useState<SidePart>('outline');
	const [isDrawerOpen, setDrawerOpen] = useState(false);
	const [isBare, setBare] = useState(false);
	const hasRoom = useMediaQuery('(min-width: 1024px)', true, { getInitialValueInEffect: false });
	const document = pdf.state === 'open' ? pdf.document : null;
	const outline = useOutline(document);
	const { search, start, goTo, findsOf } = usePdfSearch(document);
	const pageCount = document?.numPages ?? 0;
	const page = pageCount === 0 ? wanted : clampPage(wanted, pageCount);

	useEffect(() => {
		if (pageCount === 0) return;
		const chapter = outline[findCurrent(outline, page)]?.title ?? null;
		rememberPlace(window.localStorage, me.id, edition.key, { page, pageCount, chapter, at: Date.now() });
	}, [me.id, edition.key, page, pageCount, outline]);

	const openSide = useCallback((part: SidePart) => {
		setSidePart(part);
		setDrawerOpen(true);
		setBare(false);
	}, []);
	const openSearch = useCallback(() => openSide('search'), [openSide]);
	useSearchKeys(openSearch);
	const goFromSide = useCallback((to: number) => {
		setPage(to);
		setDrawerOpen(false);
	}, []);
	const goToFind = useCallback(
		(index: number) => {
			const find = search.finds[index];
			if (find === undefined) return;
			goTo(index);
			goFromSide(find.page);
		},
		[search.finds, goTo, goFromSide],
	);
	const next = editions.find(({ part, language }) => part === edition.part + 1 && language === edition.language);
	const before = editions.find(({ part, language }) => part === edition.part - 1 && language === edition.language);
	const goBeyond = useCallback(
		(step: 1 | -1) => {
			const to = step === 1 ? next : before;
			if (to !== undefined) onEdition(to);
		},
		[next, before, onEdition],
	);

	if (pdf.state === 'denied') return <NoAccess />;
	const hasOutline = outline.length > 0;
	const parts: SidePart[] = hasOutline ? ['outline', 'search'] : ['search'];
	const part = hasOutline ? sidePart : 'search';
	const side = (
		<ReaderSide
			part={part}
			parts={parts}
			onPart={setSidePart}
			onClose={hasRoom && hasOutline ? undefined : () => setDrawerOpen(false)}
		>
			{part === 'outline' ? (
				<ReaderOutline entries={outline} page={page} pageCount={pageCount} onPage={goFromSide} />
			) : (
				<ReaderSearch search={search} pageCount={pageCount} onSearch={start} onFind={goToFind} />
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
				onEdition={onEdition}
				settings={settings}
				onOutline={hasOutline && !hasRoom ? () => openSide('outline') : undefined}
				onSearch={openSearch}
			/>
			<div className={classes.middle}>
				{hasRoom && document && (hasOutline || isDrawerOpen) && side}
				<main id="content" tabIndex={-1} className={classes.stage}>
					{pdf.state === 'failed' && (
						<div className={classes.face}>
							<FailedState text={m.reader_failed()} detail={m.reader_failed_detail()} onRetry={retry} />
						</div>
					)}
					{pdf.state === 'loading' && <ReaderLoading />}
					{document && (
						<PdfDesk
							document={document}
							page={page}
							onPage={setPage}
							zoom={settings.zoom}
							flow={settings.flow}
							onFail={fail}
							findsOf={findsOf}
							onTap={() => setBare((is) => !is)}
							onBeyond={next || before ? goBeyond : undefined}
						/>
					)}
				</main>
			</div>
			{pageCount > 0 && (
				<ReaderProgress page={page} pageCount={pageCount} ticks={tickPlaces(outline, pageCount)} onPage={setPage} />
			)}
			<Drawer.Root opened={isDrawerOpen && !hasRoom} onClose={() => setDrawerOpen(false)} position="left" padding={0}>
				<Drawer.Overlay backgroundOpacity={1} color="var(--scrim)" />
				<Drawer.Content className={sideClasses.drawer ?? ''} aria-label={m.reader_side()}>
					{side}
				</Drawer.Content>
			</Drawer.Root>
		</div>
	);
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

function useOutline(pdf: PDFDocumentProxy | null): OutlineEntry[] {
	const [outline, setOutline] = useState<OutlineEntry[]>([]);
	useEffect(() => {
		if (pdf === null) return;
		let isOver = false;
		readOutline(pdf).then(
			(entries) => {
				if (!isOver) setOutline(entries);
			},
			// A book whose outline cannot be read is still a book.
			(error: unknown) => console.error(error),
		);
		return () => {
			isOver = true;
		};
	}, [pdf]);
	return outline;
}
