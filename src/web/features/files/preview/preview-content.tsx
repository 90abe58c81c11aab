import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { downloadUrl } from '#contract/files/files.ts';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { laterPosition, readLocalPosition } from '#web/platform/browser/reading-position.ts';
import { useMe } from '#web/platform/session/session.ts';
import { FileViewer, MediaPlayer } from '#web/ui/overlays/file-viewer.tsx';
import { Stage } from '#web/ui/overlays/full-screen.tsx';
import { ButtonAnchor } from '#web/ui/primitives/button.tsx';
import type { PreviewFile } from './preview-files.ts';
import { PreviewImage } from './preview-image.tsx';

/** A PDF opens at the user's reading position, which only the reader changes. */
export function PreviewContent({ file }: { file: PreviewFile }) {
	const { name, url, preview, documentId } = file;
	return (
		<FileViewer
			file={file}
			documentId={documentId}
			startPage={useSavedPage(preview === 'pdf' ? documentId : null)}
			texts={{
				gone: m.files_preview_gone(),
				failed: m.files_preview_failed(),
				unsupported: m.files_no_preview(),
				unplayable: m.files_cannot_play(),
			}}
			action={
				<ButtonAnchor icon={IconDownload} href={downloadUrl(url)} download>
					{m.files_download()}
				</ButtonAnchor>
			}
		>
			{(onFail) =>
				preview === 'image' ? (
					<PreviewImage name={name} url={url} onFail={onFail} />
				) : (
					<Stage>
						<MediaPlayer file={file} onError={onFail} />
					</Stage>
				)
			}
		</FileViewer>
	);
}

/** Returns the page of the user's newest reading position: 1 if there is none, undefined while it is loading. */
function useSavedPage(documentId: string | null): number | undefined {
	const me = useMe();
	const reading = useQuery({
		...api.reading.get.queryOptions({ input: { document: documentId ?? '' } }),
		enabled: documentId !== null,
		staleTime: 0,
		gcTime: 0,
		// No retries, because the preview waits for this request.
		retry: false,
	});
	if (documentId === null) return 1;
	if (reading.isPending) return undefined;
	const local = readLocalPosition(me.id, documentId);
	return laterPosition(reading.data?.place ?? null, local)?.page ?? 1;
}
