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
import { findCurrent, tickPlaces } from './chapters.ts';
import classes from './reader.module.css';
import { ReaderBar } from './reader-bar.tsx';
import { NoAccess } from './reader-faces.tsx';
import { ReaderLoading } from './reader-loading.tsx';
import outlineClasses from './reader-outline.module.css';
import { ReaderOutline } from './reader-outline.tsx';
import { ReaderProgress } from './reader-progress.tsx';
import { recallPlace, rememberPlace } from './reading-place.ts';
import { usePageTone } from './use-reading-settings.ts';

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
	const [zoom, setZoom] = useState(1);
	const [tone, setTone] = usePageTone();
	const [isDrawerOpen, setDrawerOpen] = useState(false);
	const hasRoom = useMediaQuery('(min-width: 1024px)', true, { getInitialValueInEffect: false });
	const document = pdf.state === 'open' ? pdf.document : null;
	const outline = useOutline(document);
	const pageCount = document?.numPages ?? 0;
	const page = pageCount === 0 ? wanted : clampPage(wanted, pageCount);

	useEffect(() => {
		if (pageCount === 0) return;
		const chapter = outline[findCurrent(outline, page)]?.title ?? null;
		rememberPlace(window.localStorage, me.id, edition.key, { page, pageCount, chapter, at: Date.now() });
	}, [me.id, edition.key, page, pageCount, outline]);

	const goFromDrawer = useCallback((to: number) => {
		setPage(to);
		setDrawerOpen(false);
	}, []);

	if (pdf.state === 'denied') return <NoAccess />;
	const hasOutline = outline.length > 0;
	return (
		// At night the frame around the page is dark too, whatever the theme; by day it follows the theme.
		<div className={classes.reader} data-page={tone} data-theme={tone === 'night' ? 'dark' : undefined}>
			<ReaderBar
				title={title}
				edition={edition}
				editions={editions}
				onEdition={onEdition}
				zoom={zoom}
				onZoom={setZoom}
				tone={tone}
				onTone={setTone}
				onOutline={hasOutline && !hasRoom ? () => setDrawerOpen(true) : undefined}
			/>
			<div className={classes.middle}>
				{hasOutline && hasRoom && (
					<ReaderOutline entries={outline} page={page} pageCount={pageCount} onPage={setPage} />
				)}
				<main id="content" tabIndex={-1} className={classes.stage}>
					{pdf.state === 'failed' && (
						<div className={classes.face}>
							<FailedState text={m.reader_failed()} detail={m.reader_failed_detail()} onRetry={retry} />
						</div>
					)}
					{pdf.state === 'loading' && <ReaderLoading />}
					{document && <PdfDesk document={document} page={page} onPage={setPage} zoom={zoom} onFail={fail} />}
				</main>
			</div>
			{pageCount > 0 && (
				<ReaderProgress page={page} pageCount={pageCount} ticks={tickPlaces(outline, pageCount)} onPage={setPage} />
			)}
			<Drawer.Root opened={isDrawerOpen} onClose={() => setDrawerOpen(false)} position="left" padding={0}>
				<Drawer.Overlay backgroundOpacity={1} color="var(--scrim)" />
				<Drawer.Content className={outlineClasses.drawer ?? ''} aria-label={m.reader_outline()}>
					<ReaderOutline entries={outline} page={page} pageCount={pageCount} onPage={goFromDrawer} />
				</Drawer.Content>
			</Drawer.Root>
		</div>
	);
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
