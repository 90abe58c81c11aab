import { Box, Group, Stack } from '@mantine/core';
import { IconTrash, IconUpload } from '@tabler/icons-react';
import { useId } from 'react';
import { m } from '#messages';
import { FileButton, InputError } from '#web/ui/primitives/file-button.tsx';
import { IconButton } from '#web/ui/primitives/icon-button.tsx';
import textClasses from '#web/ui/primitives/text.module.css';
import classes from '../storefront.module.css';

interface VideoFileProps {
	label: string;
	current: string;
	hint: string;
	choose: string;
	accept: string;
	fault: string;
	isBusy: boolean;
	isUploading: boolean;
	onChoose: (file: File) => void;
	/** Undefined if no file was uploaded. */
	remove?: { label: string; run: () => void } | undefined;
}

export function VideoFile(props: VideoFileProps) {
	const { label, current, hint, choose, accept, fault, isBusy, isUploading, onChoose, remove } = props;
	const hintId = useId();
	return (
		<div className={classes.file}>
			<Stack gap={2} style={{ overflowWrap: 'anywhere' }}>
				<Box component="h3" fz={14} fw={550}>
					{label}
				</Box>
				<p>{current}</p>
				<p id={hintId} className={textClasses.note}>
					{hint}
				</p>
			</Stack>
			<Group gap={8}>
				<FileButton
					label={choose}
					accept={accept}
					icon={IconUpload}
					disabled={isBusy}
					aria-describedby={hintId}
					onFile={onChoose}
				>
					{isUploading ? m.videos_uploading() : choose}
				</FileButton>
				{remove !== undefined && (
					<IconButton label={remove.label} icon={IconTrash} disabled={isBusy} onClick={remove.run} />
				)}
			</Group>
			<InputError text={fault} className={classes.error} />
		</div>
	);
}
