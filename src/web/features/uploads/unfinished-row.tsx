import { IconX } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Upload } from 'tus-js-client';
import { uploadsPath } from '#contract/files/files.ts';
import type { UnfinishedUpload } from '#contract/files/uploads.ts';
import { m } from '#messages';
import { wordsForStatus } from '#web/platform/failure.ts';
import { formatSize } from '#web/platform/format.ts';
import { toastError, toastMs } from '#web/platform/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import { FileButton } from '#web/ui/file-button.tsx';
import { FileIcon } from '#web/ui/file-icon.tsx';
import { iconProps } from '#web/ui/icon.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { ProgressBar } from '#web/ui/progress-bar.tsx';
import { type FileHandle, openHandle } from './file-handles.ts';
import { isSameFile, refreshUnfinished, useWayBack } from './unfinished.ts';
import { failureOf } from './upload-answers.ts';
import classes from './upload-row.module.css';
import { goOnWith } from './uploads.ts';

/** An upload that a closed tab has left: goes on with one click, or once its file is chosen again, or is thrown away. */
export function UnfinishedRow({ upload }: { upload: UnfinishedUpload }) {
	const { name, sizeBytes, arrivedBytes, owner, folders } = upload;
	const place = [owner, ...folders].join(' / ');
	const discard = useMutation({
		mutationFn: () => Upload.terminate(new URL(`${uploadsPath}/${upload.id}`, window.location.origin).href, {}),
		onError: (error) => {
			const { status } = failureOf(error);
			// Somebody has discarded or finished it already.
			if (status === 404 || status === 410) return;
			toastError(m.uploads_discard_failed({ name, message: wordsForStatus(status) }), toastMs.files);
		},
		onSettled: refreshUnfinished,
	});
	const way = useWayBack(upload.id);
	const [isLost, setLost] = useState(false);
	const goOn = async (handle: FileHandle) => {
		const file = await openHandle(handle);
		if (file !== null && isSameFile(upload, file)) return goOnWith(upload, file);
		setLost(true);
		const text = file === null ? m.uploads_way_lost({ name }) : otherFile(upload);
		toastError(text, toastMs.files);
	};
	return (
		<div className={classes.row}>
			<FileIcon name={name} />
			<div className={classes.words}>
				<p className={classes.name} title={`${place} / ${name}`}>
					<bdi>{name}</bdi>
				</p>
				<div className={classes.bar}>
					<ProgressBar label={name} value={sizeBytes === 0 ? 0 : arrivedBytes / sizeBytes} isPaused />
				</div>
				<p className={classes.detail}>
					{m.uploads_left_arrived({ sent: formatSize(arrivedBytes), total: formatSize(sizeBytes) })} ·{' '}
					{m.uploads_left_place({ place })}
				</p>
			</div>
			{way === null || isLost ? (
				<ChooseAgain upload={upload} />
			) : (
				<Button size="small" aria-label={m.uploads_go_on_of({ name })} onClick={() => void goOn(way)}>
					{m.uploads_go_on()}
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

function otherFile({ name, sizeBytes }: UnfinishedUpload): string {
	return m.uploads_other_file({ name, size: formatSize(sizeBytes) });
}

function ChooseAgain({ upload }: { upload: UnfinishedUpload }) {
	const { name } = upload;
	const label = m.uploads_choose_again_of({ name });
	const take = (file: File) => {
		if (isSameFile(upload, file)) goOnWith(upload, file);
		else toastError(otherFile(upload), toastMs.files);
	};
	return (
		<FileButton label={label} size="small" aria-label={label} onFile={take}>
			{m.uploads_choose_again()}
		</FileButton>
	);
}
