import { Box } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Upload } from 'tus-js-client';
import { uploadsPath } from '#contract/files/files.ts';
import type { UnfinishedUpload } from '#contract/files/uploads.ts';
import { m } from '#messages';
import { messageForStatus } from '#web/platform/api/failure.ts';
import { toastError, toastMs } from '#web/platform/browser/toasts.ts';
import { formatSize } from '#web/platform/formats/format.ts';
import { Button } from '#web/ui/primitives/button.tsx';
import { FileButton } from '#web/ui/primitives/file-button.tsx';
import { IconButton } from '#web/ui/primitives/icon-button.tsx';
import { ProgressBar } from '#web/ui/primitives/progress-bar.tsx';
import { type FileHandle, readHandle } from '../stored-file-handles.ts';
import { toUploadFailure } from '../tus-errors.ts';
import { invalidateUnfinishedUploads, isSameFile, useStoredHandle } from '../unfinished-uploads.ts';
import { resumeUpload } from '../uploads.ts';
import classes from './upload-row.module.css';
import { UploadRowFrame } from './upload-row.tsx';

/** Shows an upload of a closed tab, with buttons to continue or discard the upload. */
export function UnfinishedUploadRow({ upload }: { upload: UnfinishedUpload }) {
	const { name, sizeBytes, arrivedBytes, owner, folders } = upload;
	const location = [owner, ...folders].join(' / ');
	const discard = useMutation({
		mutationFn: () => Upload.terminate(new URL(`${uploadsPath}/${upload.id}`, window.location.origin).href, {}),
		onError: (error) => {
			const { status } = toUploadFailure(error);
			// The upload was discarded or finished already.
			if (status === 404 || status === 410) return;
			toastError(m.uploads_discard_failed({ name, message: messageForStatus(status) }), toastMs.files);
		},
		onSettled: invalidateUnfinishedUploads,
	});
	const storedHandle = useStoredHandle(upload.id);
	const [isLost, setLost] = useState(false);
	/** Resumes the upload, or shows an error and returns false if `file` is a different file. */
	const accept = (file: File): boolean => {
		const isSame = isSameFile(upload, file);
		if (isSame) resumeUpload(upload, file);
		else toastError(m.uploads_different_file({ name, size: formatSize(sizeBytes) }), toastMs.files);
		return isSame;
	};
	const resume = async (handle: FileHandle) => {
		const file = await readHandle(handle);
		if (file === null) toastError(m.uploads_handle_lost({ name }), toastMs.files);
		if (file === null || !accept(file)) setLost(true);
	};
	const chooseLabel = m.uploads_choose_again_of({ name });
	return (
		<UploadRowFrame
			name={name}
			title={`${location} / ${name}`}
			status={
				<>
					<Box mt={5} mb={4}>
						<ProgressBar label={name} value={sizeBytes === 0 ? 0 : arrivedBytes / sizeBytes} isPaused />
					</Box>
					<p className={classes.detail}>
						{m.uploads_unfinished_progress({ sent: formatSize(arrivedBytes), total: formatSize(sizeBytes) })} ·{' '}
						{m.uploads_unfinished_location({ place: location })}
					</p>
				</>
			}
		>
			{storedHandle === null || isLost ? (
				<FileButton label={chooseLabel} size="small" aria-label={chooseLabel} onFile={accept}>
					{m.uploads_choose_again()}
				</FileButton>
			) : (
				<Button size="small" aria-label={m.uploads_continue_of({ name })} onClick={() => void resume(storedHandle)}>
					{m.uploads_continue()}
				</Button>
			)}
			<IconButton
				size="small"
				label={m.uploads_discard_of({ name })}
				icon={IconX}
				disabled={discard.isPending}
				onClick={() => discard.mutate()}
			/>
		</UploadRowFrame>
	);
}
