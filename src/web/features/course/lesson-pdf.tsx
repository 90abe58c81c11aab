import { useEffect, useState } from 'react';
import { m } from '#messages';
import { PdfErrorState } from '#web/ui/pdf/document/pdf-error-state.tsx';
import { usePdf } from '#web/ui/pdf/document/use-pdf.ts';
import { clampPage } from '#web/ui/pdf/viewer/page-size.ts';
import { PdfToolbar } from '#web/ui/pdf/viewer/pdf-toolbar.tsx';
import { PdfViewer } from '#web/ui/pdf/viewer/pdf-viewer.tsx';
import { Skeleton } from '#web/ui/states/skeleton.tsx';
import { DeniedState } from '#web/ui/states/states.tsx';
import type { LessonViewerProps } from './course-api.ts';
import classes from './lesson.module.css';

/** A lesson to be read, opened at the page where it was left. */
export function LessonPdf({ node, start, onPosition, onPause }: LessonViewerProps) {
	const { pdf, fail, retry } = usePdf({ url: node.url ?? '', sizeBytes: node.size });
	const [chosenPage, setPage] = useState(start?.position ?? 1);
	const [zoom, setZoom] = useState(1);
	const total = pdf.state === 'open' ? pdf.document.numPages : 0;
	const page = clampPage(chosenPage, total);
	useEffect(() => {
		if (total === 0) return;
		onPosition({ position: page, total });
		// Done is said while one looks at the end.
		if (page === total) onPause();
	}, [page, total, onPosition, onPause]);

	if (pdf.state === 'denied') return <DeniedState title={m.course_lesson_gone()} />;
	if (pdf.state === 'loading') {
		return (
			<div className={classes.centre} role="status" aria-label={m.common_loading()}>
				<Skeleton width="min(480px, 80vw)" height="min(640px, 60dvh)" />
			</div>
		);
	}
	if (pdf.state !== 'open') return <PdfErrorState state={pdf.state} text={m.course_lesson_failed()} onRetry={retry} />;
	return (
		<>
			<div className={classes.viewer} data-page="day">
				<PdfViewer document={pdf.document} page={page} onPage={setPage} zoom={zoom} onFail={fail} />
			</div>
			<div className={classes.pages}>
				<PdfToolbar documentId={node.id} page={page} pageCount={total} zoom={zoom} onZoom={setZoom} />
			</div>
		</>
	);
}
