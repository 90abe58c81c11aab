import { Stack } from '@mantine/core';
import { IconDeviceMobileDown, IconDeviceMobileX } from '@tabler/icons-react';
import type { ShelfEdition } from '#contract/book/shelf.ts';
import { m } from '#messages';
import { toastSuccess } from '#web/platform/browser/toasts.ts';
import { formatStorage } from '#web/platform/formats/format.ts';
import { useMe } from '#web/platform/session/session.ts';
import { Button } from '#web/ui/primitives/button.tsx';
import { ProgressBar } from '#web/ui/primitives/progress-bar.tsx';
import { removeOfflineCopy, showOfflineCopyFailure, startOfflineCopy, useOfflineCopy } from './offline-copies.ts';

/** Renders nothing if offline copies are not available, or if the user's watermarked copy is not ready. */
export function OfflineCopyButton({ edition }: { edition: ShelfEdition }) {
	const me = useMe();
	const offlineCopy = useOfflineCopy(edition);
	if (offlineCopy === null || edition.copy.state !== 'ready') return null;
	const { share, edition: stored } = offlineCopy;
	const isLoading = share !== undefined;
	const isSaved = !isLoading && stored?.isWhole === true;
	const size = formatStorage(edition.size);
	const start = async () => showOfflineCopyFailure(await startOfflineCopy(me.id, edition));
	const remove = async () => {
		await removeOfflineCopy(edition.key);
		toastSuccess(m.reader_offline_deleted());
	};
	const progressLabel = m.reader_offline_saving({ percent: Math.round((share ?? 0) * 100), size });
	const saveLabel = stored === undefined ? m.reader_offline_save({ size }) : m.reader_offline_resume({ size });
	return (
		<Stack gap={8} c="var(--muted)" fz={13} style={{ fontVariantNumeric: 'tabular-nums' }}>
			{isLoading && <p>{progressLabel}</p>}
			{isLoading && <ProgressBar label={progressLabel} value={share} />}
			{isSaved && <p role="status">{m.reader_offline_saved({ size })}</p>}
			{/* All states use the same button, which therefore keeps the focus after a press. */}
			<Button
				size={isLoading ? 'small' : 'medium'}
				isFullWidth={!isLoading}
				icon={!isLoading && (isSaved ? IconDeviceMobileX : IconDeviceMobileDown)}
				onClick={() => void (isLoading || isSaved ? remove() : start())}
			>
				{isLoading ? m.common_cancel() : isSaved ? m.reader_offline_delete() : saveLabel}
			</Button>
		</Stack>
	);
}
