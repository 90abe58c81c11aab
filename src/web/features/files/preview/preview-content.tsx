import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { type FileFailureReason, findFileFailureReason } from '#web/platform/api/failure.ts';
import { laterPosition, readLocalPosition } from '#web/platform/browser/reading-position.ts';
import { useMe } from '#web/platform/session/session.ts';
import { PdfPane } from '#web/ui/pdf/viewer/pdf-pane.tsx';
import { ButtonAnchor } from '#web/ui/primitives/button.tsx';
import { MediaPlayer } from '#web/ui/primitives/media-player.tsx';
import { Skeleton } from '#web/ui/states/skeleton.tsx';
import { DeniedState, EmptyState, FailedState } from '#web/ui/states/states.tsx';
import { downloadUrl, type PreviewFile } from './preview-file.ts';
import { PreviewImage } from './preview-image.tsx';
import classes from './preview-overlay.module.css';

/** Shows the file; if the browser cannot show it, a message with a download button. */
export function PreviewContent({ file }: { file: PreviewFile }) {
	const [reason, setReason] = useState<FileFailureReason | null>(null);
	const fail = () => void findFileFailureReason(file.url).then(setReason);
	if (file.preview === 'pdf') return <PreviewPdf file={file} />;
	if (reason === 'gone') return <DeniedState title={m.files_preview_gone()} />;
	if (reason === 'failed') return <FailedState text={m.files_preview_failed()} onRetry={() => setReason(null)} />;
	if (file.preview === 'image' && reason === null)
		return <PreviewImage name={file.name} url={file.url} onFail={fail} />;
	return (
		<div className={classes.stage}>
			<div className={classes.centre}>
				{file.preview === null || reason === 'unplayable' ? (
					<EmptyState
						text={file.preview === null ? m.files_no_preview() : m.files_cannot_play()}
						action={
							<ButtonAnchor icon={IconDownload} href={downloadUrl(file.url)} download>
								{m.files_download()}
							</ButtonAnchor>
						}
					/>
				) : (
					<MediaPlayer file={file} videoClass={classes.video} onError={fail} />
				)}
			</div>
		</div>
	);
}

/**
 * Previews a PDF within the app, so that private files never go to a third party. Opens at the user's reading position
 * and does not change it; only the reader does.
 */
function PreviewPdf({ file: { url, size, documentId } }: { file: PreviewFile }) {
	return (
		<PdfPane
			url={url}
			sizeBytes={size}
			documentId={documentId}
			startPage={useSavedPage(documentId)}
			texts={{ denied: m.files_preview_gone(), failed: m.files_preview_failed() }}
			classNames={{ stage: classes.stage, footer: classes.footer }}
			skeleton={
				<div className={classes.stage}>
					<div className={classes.centre} role="status" aria-label={m.common_loading()}>
						<Skeleton width="min(480px, 80vw)" height="min(680px, 70dvh)" />
					</div>
				</div>
			}
		/>
	);
}

/**
 * Returns the page of the user's reading position in a document: the later of the server's and this browser's; 1 for a
 * document without a position; undefined while the server's position is loading.
 */
function useSavedPage(documentId: string | null): number | undefined {
	const me = useMe();
	const reading = useQuery({
		...api.reading.get.queryOptions({ input: { document: documentId ?? '' } }),
		enabled: documentId !== null,
		staleTime: 0,
		gcTime: 0,
		// No retries, because the preview does not open before the position is known or has failed to load.
		retry: false,
	});
	if (documentId === null) return 1;
	if (reading.isPending) return undefined;
	const local = readLocalPosition(me.id, documentId);
	return laterPosition(reading.data?.place ?? null, local)?.page ?? 1;
}
