import { Box, Group, Stack } from '@mantine/core';
import { IconPhoto, IconTrash, IconUpload } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { limits } from '#contract/core/limits.ts';
import { type ImageKind, type StorefrontImage, storefrontImagePath } from '#contract/storefront/content.ts';
import { m } from '#messages';
import { useUpload } from '#web/platform/api/use-change.ts';
import { FileButton, InputError } from '#web/ui/primitives/file-button.tsx';
import { iconProps } from '#web/ui/primitives/icon.ts';
import { IconButton } from '#web/ui/primitives/icon-button.tsx';
import { ProgressBar } from '#web/ui/primitives/progress-bar.tsx';
import textClasses from '#web/ui/primitives/text.module.css';
import { useEditor } from '../editor/editor-context.ts';
import type { CropArea } from './crop-area.ts';
import { CropDialog } from './crop-dialog.tsx';
import classes from './pictures.module.css';

export const pictureTypes = 'image/jpeg,image/png,image/webp,image/avif';

/** Width divided by height. */
const aspects = { cover: 2 / 3, icon: 1, social: 1200 / 630 } satisfies Partial<Record<ImageKind, number>>;

interface PictureInputProps {
	/** Name of the picture, such as `Cover: Part 1, English`. */
	label: string;
	kind: keyof typeof aspects;
	/** ID of the picture; null for none. */
	value: string | null;
	onChange: (id: string | null) => void;
	/** What the page shows without a picture. */
	emptyText: string;
	hint?: string;
}

export function PictureInput({ label, kind, value, onChange, emptyText, hint }: PictureInputProps) {
	const { images, addImage } = useEditor();
	const { progress, error, setError, upload } = useUpload();
	const [chosen, setChosen] = useState<File>();
	const hintId = useId();
	const image = value === null ? undefined : images.get(value);
	const isBusy = progress !== undefined;

	const send = async (file: File, area: CropArea) => {
		const sides = Object.entries(area).map(([name, pixels]) => [name, String(pixels)]);
		const query = new URLSearchParams([['kind', kind], ...sides]);
		const sent = await upload<StorefrontImage>(`${storefrontImagePath}?${query}`, file);
		if (sent === undefined) return;
		addImage(sent);
		onChange(sent.id);
	};
	const choose = (file: File) => {
		const isTooLarge = file.size > limits.storefrontImageMaxBytes;
		setError(isTooLarge ? m.error_picture_too_large() : '');
		if (!isTooLarge) setChosen(file);
	};
	const closeCrop = () => setChosen(undefined);
	return (
		<Stack gap={8}>
			<Group gap={12} wrap="nowrap" align="center">
				<div className={classes.thumbnail} style={{ aspectRatio: aspects[kind] }}>
					{image === undefined ? <IconPhoto {...iconProps} /> : <img src={image.url} alt={label} />}
				</div>
				<Stack gap={6} miw={0} flex={1}>
					<Box style={{ overflowWrap: 'anywhere' }}>{label}</Box>
					{image === undefined && <p className={textClasses.note}>{emptyText}</p>}
					<Group gap={4}>
						<FileButton
							label={m.editor_picture_choose_for({ name: label })}
							accept={pictureTypes}
							icon={IconUpload}
							size="small"
							disabled={isBusy}
							aria-describedby={hint === undefined ? undefined : hintId}
							onFile={choose}
						>
							{image === undefined ? m.editor_picture_choose() : m.editor_picture_replace()}
						</FileButton>
						{value !== null && (
							<IconButton
								size="small"
								label={m.editor_picture_remove({ name: label })}
								icon={IconTrash}
								disabled={isBusy}
								onClick={() => onChange(null)}
							/>
						)}
					</Group>
				</Stack>
			</Group>
			{hint !== undefined && (
				<p id={hintId} className={textClasses.note}>
					{hint}
				</p>
			)}
			<PictureProgress value={progress} />
			<InputError text={error} />
			{chosen !== undefined && (
				<CropDialog
					file={chosen}
					aspect={aspects[kind]}
					title={label}
					onClose={closeCrop}
					onUnreadable={() => {
						closeCrop();
						setError(m.error_picture_not_image());
					}}
					onCrop={(area) => {
						closeCrop();
						void send(chosen, area);
					}}
				/>
			)}
		</Stack>
	);
}

/** After the last byte, the server still makes the picture's sizes. */
export function PictureProgress({ value }: { value: number | undefined }) {
	if (value === undefined) return null;
	return (
		<Stack gap={4}>
			<ProgressBar label={m.editor_picture_uploading()} value={value} />
			<p role="status" className={textClasses.note}>
				{value === 1 ? m.editor_picture_processing() : ''}
			</p>
		</Stack>
	);
}
