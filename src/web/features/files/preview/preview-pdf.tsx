import { useState } from 'react';
import { m } from '#messages';
import { PdfErrorState } from '#web/ui/pdf/document/pdf-error-state.tsx';
import { usePdf } from '#web/ui/pdf/document/use-pdf.ts';
import { clampPage } from '#web/ui/pdf/viewer/page-size.ts';
import { PdfToolbar } from '#web/ui/pdf/viewer/pdf-toolbar.tsx';
import { PdfViewer } from '#web/ui/pdf/viewer/pdf-viewer.tsx';
import { useSavedPage } from '#web/ui/pdf/viewer/use-saved-page.ts';
import { Skeleton } from '#web/ui/states/skeleton.tsx';
import { DeniedState } from '#web/ui/states/states.tsx';
import type { PreviewFile } from './preview-file.ts';
import classes from './preview-overlay.module.css';

/**
 * A quick look at a PDF, on every device: a private file never goes to a third party. It begins where the person is in it,
 * and leaves that place as it is: only the reader moves it.
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
