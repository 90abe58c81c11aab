import { useState } from 'react';
import { m } from '#messages';
import { DeniedState } from '#web/ui/faces.tsx';
import { clampPage } from '#web/ui/pdf/page-size.ts';
import { PdfDesk } from '#web/ui/pdf/pdf-desk.tsx';
import { PdfFailed } from '#web/ui/pdf/pdf-failed.tsx';
import { PdfTools } from '#web/ui/pdf/pdf-tools.tsx';
import { usePdf } from '#web/ui/pdf/use-pdf.ts';
import { Skeleton } from '#web/ui/skeleton.tsx';
import type { PreviewFile } from './file-preview.ts';
import classes from './preview-overlay.module.css';

/** A PDF in the product's own reader, on every device: a private file never goes to a third party. */
export function PreviewPdf({ file }: { file: PreviewFile }) {
	const { pdf, fail, retry } = usePdf({ url: file.url, sizeBytes: file.size });
	const [page, setPage] = useState(1);
	const [zoom, setZoom] = useState(1);

	if (pdf.state === 'denied') return <DeniedState title={m.files_preview_gone()} />;
	if (pdf.state !== 'loading' && pdf.state !== 'open')
		return <PdfFailed state={pdf.state} text={m.files_preview_failed()} onRetry={retry} />;
	if (pdf.state === 'loading') {
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
				<PdfTools page={shown} pageCount={count} zoom={zoom} onZoom={setZoom} />
			</footer>
		</>
	);
}
