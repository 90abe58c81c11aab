import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { downloadUrl, type Node } from '#contract/files/files.ts';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { describeFailure } from '#web/platform/api/failure.ts';
import { useOpenedInUrl } from '#web/platform/browser/url-state.ts';
import { useStableCallback } from '#web/ui/hooks/latest-value.ts';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import type { ListingRows } from '../list-state/listing-rows.ts';
import { FilePreview } from './file-preview.tsx';
import { previewFilesOf } from './preview-files.ts';

/** Returns a stable function that previews a file, or downloads a file without a preview. */
export function useOpenFile(): (file: Node) => void {
	const { open } = useOpenedInUrl('preview');
	return useStableCallback((file: Node) => {
		if (file.preview !== null) open(file.id);
		else if (file.url !== null) window.location.assign(downloadUrl(file.url));
	});
}

interface ListingPreviewProps {
	rows: ListingRows | undefined;
	spaceId: string | undefined;
	/** Whether a missing file is reported. Of several lists on a screen, only one reports missing files. */
	showsMissingFile: boolean;
}

/** Previews the file whose id is in the URL. Next and previous are available if the list contains the file. */
export function ListingPreview({ rows, spaceId, showsMissingFile }: ListingPreviewProps) {
	const { opened: urlId, goTo, close } = useOpenedInUrl('preview');
	// The URL changes with a delay. Until then, `pendingId` is the shown file, from which the next key press continues.
	const [pendingId, setPendingId] = useState<string | null>(null);
	useEffect(() => {
		if (urlId === null || urlId === pendingId) setPendingId(null);
	}, [urlId, pendingId]);
	const shownId = urlId === null ? null : (pendingId ?? urlId);
	useSyncExternalStore(rows?.subscribe ?? subscribeToNothing, rows?.version ?? noVersion);
	const listed = shownId === null || rows === undefined ? [] : previewFilesOf(rows.files);
	const isListed = listed.some(({ id }) => id === shownId);
	const isFetched = shownId !== null && !isListed && spaceId !== undefined;
	const fetched = useQuery(
		api.files.get.queryOptions({ input: { id: shownId ?? '' }, enabled: isFetched, retry: false }),
	);
	const isInSpace = isFetched && fetched.data?.spaceId === spaceId;
	const single = isInSpace && fetched.data ? previewFilesOf([fetched.data.file]) : [];
	const isFailed = isFetched && fetched.isError && showsMissingFile;
	const { status, message } = describeFailure(fetched.error);
	return (
		<>
			<FilePreview
				files={isListed ? listed : single}
				shownId={isListed || single.length > 0 ? shownId : null}
				onShow={(id) => {
					setPendingId(id);
					goTo(id);
				}}
				onClose={close}
			/>
			<Dialog
				isOpen={isFailed}
				onClose={close}
				title={status === 404 ? m.files_denied_title() : m.files_preview_failed()}
				footer={
					<>
						{status !== 404 && <Button onClick={() => void fetched.refetch()}>{m.common_retry()}</Button>}
						<Button variant="primary" onClick={close}>
							{m.common_close()}
						</Button>
					</>
				}
			>
				{status === 404 ? m.files_preview_gone() : message}
			</Dialog>
		</>
	);
}

const subscribeToNothing = () => () => {};
const noVersion = () => 0;
