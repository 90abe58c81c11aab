import { Group, Stack } from '@mantine/core';
import { IconTrash, IconUpload } from '@tabler/icons-react';
import { useId } from 'react';
import { m } from '#messages';
import { FileButton, InputError } from '#web/ui/primitives/file-button.tsx';
import { IconButton } from '#web/ui/primitives/icon-button.tsx';
import { ProgressBar } from '#web/ui/primitives/progress-bar.tsx';
import textClasses from '#web/ui/primitives/text.module.css';

interface VideoFileProps {
	label: string;
	current: string;
	hint: string;
	choose: string;
	accept: string;
	error: string;
	/** Part that was sent, 0 to 1; undefined while there is no upload. */
	progress: number | undefined;
	onChoose: (file: File) => void;
	/** Undefined if no file was uploaded. */
	remove?: { label: string; run: () => void } | undefined;
}

export function VideoFile(props: VideoFileProps) {
	const { label, current, hint, choose, accept, error, progress, onChoose, remove } = props;
	const hintId = useId();
	const isBusy = progress !== undefined;
	return (
		<Stack gap={6}>
			<Stack gap={2} style={{ overflowWrap: 'anywhere' }}>
				<h4 style={{ fontWeight: 550 }}>{label}</h4>
				<p>{current}</p>
				<p id={hintId} className={textClasses.note}>
					{hint}
				</p>
			</Stack>
			<Group gap={4}>
				<FileButton
					label={choose}
					accept={accept}
					icon={IconUpload}
					size="small"
					disabled={isBusy}
					aria-describedby={hintId}
					onFile={onChoose}
				>
					{isBusy ? m.videos_uploading() : choose}
				</FileButton>
				{remove !== undefined && (
					<IconButton size="small" label={remove.label} icon={IconTrash} disabled={isBusy} onClick={remove.run} />
				)}
			</Group>
			{isBusy && <ProgressBar label={m.videos_uploading()} value={progress} />}
			<InputError text={error} />
		</Stack>
	);
}
