import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { laterPosition, readLocalPosition } from '#web/platform/browser/reading-position.ts';
import { useMe } from '#web/platform/session/session.ts';
import { PdfErrorState } from '#web/ui/pdf/document/pdf-error-state.tsx';
import { usePdf } from '#web/ui/pdf/document/use-pdf.ts';
import { clampPage } from '#web/ui/pdf/viewer/page-size.ts';
import { PdfToolbar } from '#web/ui/pdf/viewer/pdf-toolbar.tsx';
import { PdfViewer } from '#web/ui/pdf/viewer/pdf-viewer.tsx';
import { Skeleton } from '#web/ui/states/skeleton.tsx';
import { DeniedState } from '#web/ui/states/states.tsx';
import type { PreviewFile } from './preview-file.ts';
import classes from './preview-overlay.module.css';

/**
 * Previews a PDF within the app, so that private files never go to a third party. Opens at the user's reading position
 * and does not change it; only the reader does.
 */
export function PreviewPdf({ file }: { file: PreviewFile }) {
	const { pdf, fail, retry } = usePdf({ url: file.url, sizeBytes: file.size });
	const storedPage = useSavedPage(file.documentId);
	const [chosenPage, setPage] = useState<number | null>(null);
	const [zoom, setZoom] = useState(1);

	if (pdf.state === 'denied') return <DeniedState title={m.files_preview_gone()} />;
	if (pdf.state !== 'loading' && pdf.state !== 'open')
		return <PdfErrorState state={pdf.state} text={m.files_preview_failed()} onRetry={retry} />;
	const page = chosenPage ?? storedPage;
	if (pdf.state === 'loading' || page === undefined) {
		return (
			<div className={classes.stage}>
				<div className={classes.centre} role="status" aria-label={m.common_loading()}>
					<Skeleton width="min(480px, 80vw)" height="min(680px, 70dvh)" />
				</div>
			</div>
		);
	}
	const count = pdf.document.numPages;
	const shown = clampPage(page, count);
	return (
		<>
			<div className={classes.stage} data-page="day">
				<PdfViewer document={pdf.document} page={shown} onPage={setPage} zoom={zoom} onFail={fail} />
			</div>
			<footer className={classes.footer}>
				<PdfToolbar documentId={file.documentId} page={shown} pageCount={count} zoom={zoom} onZoom={setZoom} />
			</footer>
		</>
	);
}

/**
 * The page of the user's reading position in a document: the later of the server's and this browser's; 1 for a document
 * without a position.
 * @returns undefined until it is known
 */
function useSavedPage(documentId: string | null): number | undefined {
	const me = useMe();
	const reading = useQuery({
		...api.reading.get.queryOptions({ input: { document: documentId ?? '' } }),
		enabled: documentId !== null,
		staleTime: 0,
		gcTime: 0,
		// The preview does not wait for a position.
		retry: false,
	});
	const [local] = useState(() =>
		documentId === null ? undefined : readLocalPosition(window.localStorage, me.id, documentId),
	);
	const [page, setPage] = useState(documentId === null ? 1 : undefined);
	// Set only once, so that another device does not turn the page here.
	if (page === undefined && !reading.isPending) setPage(laterPosition(reading.data?.place ?? null, local)?.page ?? 1);
	return page;
}
