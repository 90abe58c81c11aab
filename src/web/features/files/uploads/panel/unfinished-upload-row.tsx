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
import { FileIcon } from '#web/ui/illustrations/file-icon.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { FileButton } from '#web/ui/primitives/file-button.tsx';
import { iconProps } from '#web/ui/primitives/icon.ts';
import { IconButton } from '#web/ui/primitives/icon-button.tsx';
import { ProgressBar } from '#web/ui/primitives/progress-bar.tsx';
import { type FileHandle, readHandle } from '../stored-file-handles.ts';
import { toUploadFailure } from '../tus-errors.ts';
import { invalidateUnfinishedUploads, isSameFile, useStoredHandle } from '../unfinished-uploads.ts';
import { resumeUpload } from '../uploads.ts';
import classes from './upload-row.module.css';

/**
 * An unfinished upload of a closed tab. It continues with a click or once its file is chosen again, or is discarded.
 */
export function UnfinishedUploadRow({ upload }: { upload: UnfinishedUpload }) {
	const { name, sizeBytes, arrivedBytes, owner, folders } = upload;
	const location = [owner, ...folders].join(' / ');
	const discard = useMutation({
		mutationFn: () => Upload.terminate(new URL(`${uploadsPath}/${upload.id}`, window.location.origin).href, {}),
		onError: (error) => {
			const { status } = toUploadFailure(error);
			// It was discarded or finished already.
			if (status === 404 || status === 410) return;
			toastError(m.uploads_discard_failed({ name, message: messageForStatus(status) }), toastMs.files);
		},
		onSettled: invalidateUnfinishedUploads,
	});
	const storedHandle = useStoredHandle(upload.id);
	const [isLost, setLost] = useState(false);
	const resume = async (handle: FileHandle) => {
		const file = await readHandle(handle);
		if (file !== null && isSameFile(upload, file)) return resumeUpload(upload, file);
		setLost(true);
		const text = file === null ? m.uploads_handle_lost({ name }) : differentFileText(upload);
		toastError(text, toastMs.files);
	};
	return (
		<div className={classes.row}>
			<FileIcon name={name} />
			<div className={classes.text}>
				<p className={classes.name} title={`${location} / ${name}`}>
					<bdi>{name}</bdi>
				</p>
				<div className={classes.bar}>
					<ProgressBar label={name} value={sizeBytes === 0 ? 0 : arrivedBytes / sizeBytes} isPaused />
				</div>
				<p className={classes.detail}>
					{m.uploads_unfinished_progress({ sent: formatSize(arrivedBytes), total: formatSize(sizeBytes) })} ·{' '}
					{m.uploads_unfinished_location({ place: location })}
				</p>
			</div>
			{storedHandle === null || isLost ? (
				<ChooseAgain upload={upload} />
			) : (
				<Button size="small" aria-label={m.uploads_continue_of({ name })} onClick={() => void resume(storedHandle)}>
					{m.uploads_continue()}
				</Button>
			)}
			<IconButton
				size="small"
				label={m.uploads_discard_of({ name })}
				icon={<IconX {...iconProps} />}
				disabled={discard.isPending}
				onClick={() => discard.mutate()}
			/>
		</div>
	);
}

function differentFileText({ name, sizeBytes }: UnfinishedUpload): string {
	return m.uploads_different_file({ name, size: formatSize(sizeBytes) });
}

function ChooseAgain({ upload }: { upload: UnfinishedUpload }) {
	const { name } = upload;
	const label = m.uploads_choose_again_of({ name });
	const acceptFile = (file: File) => {
		if (isSameFile(upload, file)) resumeUpload(upload, file);
		else toastError(differentFileText(upload), toastMs.files);
	};
	return (
		<FileButton label={label} size="small" aria-label={label} onFile={acceptFile}>
			{m.uploads_choose_again()}
		</FileButton>
	);
}
