import { Group } from '@mantine/core';
import { type Icon, IconBook2, IconMinus, IconPlus } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { m } from '#messages';
import screenClasses from '../../overlays/full-screen.module.css';
import { Stage, StageSkeleton } from '../../overlays/full-screen.tsx';
import { ButtonLink } from '../../primitives/button.tsx';
import { IconButton } from '../../primitives/icon-button.tsx';
import { DeniedState, FailedState } from '../../states/states.tsx';
import { usePdf } from '../document/use-pdf.ts';
import { clampPage, stepZoom } from './page-size.ts';
import classes from './pdf-viewer.module.css';
import { PdfViewer } from './pdf-viewer.tsx';

interface PdfPaneProps {
	url: string;
	sizeBytes: number;
	/** ID of the document in the reader; null if the reader cannot open the document. */
	documentId: string | null;
	/** Page that is shown first; undefined while unknown. */
	startPage: number | undefined;
	/** Called for each shown page. Must be a stable function. */
	onShown?: (page: number, pageCount: number) => void;
	/** `gone`: error text for a document without access; `failed`: for a document that could not be loaded. */
	texts: { gone: string; failed: string };
}

/** Shows a document above a bar with page number, link to the reader, and zoom. */
export function PdfPane(props: PdfPaneProps) {
	const { url, sizeBytes, documentId, startPage, onShown, texts } = props;
	const { pdf, fail, retry } = usePdf({ url, sizeBytes });
	const [chosenPage, setPage] = useState<number>();
	/** At 1, the page fits the viewport. */
	const [zoom, setZoom] = useState(1);
	// Set only once: a later reading position from another device must not turn the page.
	if (chosenPage === undefined && startPage !== undefined) setPage(startPage);
	const count = pdf.state === 'open' && chosenPage !== undefined ? pdf.document.numPages : 0;
	const page = clampPage(chosenPage ?? 1, count);
	useEffect(() => {
		if (count > 0) onShown?.(page, count);
	}, [page, count, onShown]);

	if (pdf.state === 'loading' || (pdf.state === 'open' && count === 0)) return <StageSkeleton />;
	if (pdf.state !== 'open') {
		return (
			<Stage>
				{pdf.state === 'denied' ? (
					<DeniedState title={texts.gone} />
				) : (
					<PdfErrorState state={pdf.state} text={texts.failed} onRetry={retry} />
				)}
			</Stage>
		);
	}
	const zoomButton = (label: string, icon: Icon, step: 1 | -1) => (
		<IconButton label={label} icon={icon} onClick={() => setZoom(stepZoom(zoom, step))} />
	);
	return (
		<>
			<div className={screenClasses.stage} data-page="day">
				<PdfViewer document={pdf.document} page={page} onPage={setPage} zoom={zoom} onFail={fail} />
			</div>
			<div className={screenClasses.footer}>
				<span role="status">{m.reader_page_of({ page, count })}</span>
				{documentId !== null && (
					<ButtonLink to="/read/file/$id" params={{ id: documentId }} aria-label={m.reader_open()} icon={IconBook2}>
						<span className={classes.onlyWide}>{m.reader_open()}</span>
						<span className={classes.onlyNarrow}>{m.screen_reader()}</span>
					</ButtonLink>
				)}
				<Group gap={2} wrap="nowrap">
					{zoomButton(m.reader_zoom_out(), IconMinus, -1)}
					<span className={classes.percent}>{`${Math.round(zoom * 100)}%`}</span>
					{zoomButton(m.reader_zoom_in(), IconPlus, 1)}
				</Group>
			</div>
		</>
	);
}

interface PdfErrorStateProps {
	state: 'failed' | 'locked' | 'broken';
	text: string;
	detail?: string;
	onRetry: () => void;
}

/** Shows why a document cannot be displayed. Has a retry button only for `failed`. */
export function PdfErrorState({ state, text, detail, onRetry }: PdfErrorStateProps) {
	if (state === 'failed') return <FailedState text={text} detail={detail} onRetry={onRetry} />;
	return (
		<div role="alert">
			{state === 'locked' ? (
				<DeniedState title={m.pdf_locked()} text={m.pdf_locked_detail()} />
			) : (
				<DeniedState title={m.pdf_broken()} text={m.pdf_broken_detail()} />
			)}
		</div>
	);
}
