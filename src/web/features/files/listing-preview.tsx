import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { m } from '#messages';
import { api } from '#web/platform/api.ts';
import { describeFailure } from '#web/platform/failure.ts';
import { useOpenedInUrl } from '#web/platform/url-state.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { previewFileOf, previewFilesOf } from './file-preview.ts';
import type { ListingRows } from './listing-rows.ts';
import { PreviewOverlay } from './preview-overlay.tsx';

/** The file whose preview stands in the address. */
export function usePreviewAddress() {
	const { opened: shownId, ...ways } = useOpenedInUrl('preview');
	return { shownId, ...ways };
}

interface ListingPreviewProps {
	/** Undefined while the list is on its way. */
	rows: ListingRows | undefined;
	spaceId: string | undefined;
	/** Of several lists on a page, one says that a file is gone. */
	tellsGone: boolean;
}

/** The preview that the address asks for: among the files of the list, or alone when the list does not show it. */
export function ListingPreview({ rows, spaceId, tellsGone }: ListingPreviewProps) {
	const { shownId: addressedId, goTo, close } = usePreviewAddress();
	// The address follows a moment later: quick presses go on from what is seen.
	const [aheadId, setAheadId] = useState<string | null>(null);
	useEffect(() => {
		if (addressedId === null || addressedId === aheadId) setAheadId(null);
	}, [addressedId, aheadId]);
	const shownId = addressedId === null ? null : (aheadId ?? addressedId);
	useSyncExternalStore(rows?.subscribe ?? neverChanges, rows?.version ?? noVersion);
	const listed = shownId === null || rows === undefined ? [] : previewFilesOf(rows.files);
	const isListed = listed.some(({ id }) => id === shownId);
	const isSought = shownId !== null && !isListed && spaceId !== undefined;
	const sought = useQuery(
		api.files.get.queryOptions({ input: { id: shownId ?? '' }, enabled: isSought, retry: false }),
	);
	const isHere = isSought && sought.data?.spaceId === spaceId;
	const alone = isHere && sought.data ? [previewFileOf(sought.data.file)] : [];
	const isFailed = isSought && sought.isError && tellsGone;
	const { status, message } = describeFailure(sought.error);
	return (
		<>
			<PreviewOverlay
				files={isListed ? listed : alone}
				shownId={isListed || alone.length > 0 ? shownId : null}
				onShow={(id) => {
					setAheadId(id);
					goTo(id);
				}}
				onClose={close}
			/>
			<Dialog
				isOpen={isFailed}
				onClose={close}
				title={status === 404 ? m.files_denied_title() : m.files_preview_failed()}
				foot={
					<>
						{status !== 404 && <Button onClick={() => void sought.refetch()}>{m.common_retry()}</Button>}
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

const neverChanges = () => () => {};
const noVersion = () => 0;
