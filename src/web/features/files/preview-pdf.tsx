import { useState } from 'react';
import { m } from '#messages';
import { DeniedState } from '#web/ui/faces.tsx';
import { clampPage } from '#web/ui/pdf/page-size.ts';
import { PdfDesk } from '#web/ui/pdf/pdf-desk.tsx';
import { PdfFailed } from '#web/ui/pdf/pdf-failed.tsx';
import { PdfTools } from '#web/ui/pdf/pdf-tools.tsx';
import { useKeptPage } from '#web/ui/pdf/use-kept-page.ts';
import { usePdf } from '#web/ui/pdf/use-pdf.ts';
import { Skeleton } from '#web/ui/skeleton.tsx';
import type { PreviewFile } from './file-preview.ts';
import classes from './preview-overlay.module.css';

/**
 * A quick look at a PDF, on every device: a private file never goes to a third party. It begins where the person is in it,
 * and leaves that place as it is: only the reader moves it.
 */
export function PreviewPdf({ file }: { file: PreviewFile }) {
	const { pdf, fail, retry } = usePdf({ url: file.url, sizeBytes: file.size });
	const keptPage = useKeptPage(file.documentId);
	const [turnedTo, setPage] = useState<number | null>(null);
	const [zoom, setZoom] = useState(1);

	if (pdf.state === 'denied') return <DeniedState title={m.files_preview_gone()} />;
	if (pdf.state !== 'loading' && pdf.state !== 'open')
		return <PdfFailed state={pdf.state} text={m.files_preview_failed()} onRetry={retry} />;
	const page = turnedTo ?? keptPage;
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
				<PdfDesk document={pdf.document} page={shown} onPage={setPage} zoom={zoom} onFail={fail} />
			</div>
			<footer className={classes.foot}>
				<PdfTools documentId={file.documentId} page={shown} pageCount={count} zoom={zoom} onZoom={setZoom} />
			</footer>
		</>
	);
}
