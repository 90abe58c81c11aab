// biome-ignore-all lint/a11y/useMediaCaption: people's own videos and recordings come without captions.
import { Stack } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { m } from '#messages';
import { type FileFailureReason, findFileFailureReason } from '#web/platform/api/failure.ts';
import { FileIcon } from '#web/ui/illustrations/file-icon.tsx';
import { ButtonAnchor } from '#web/ui/primitives/button.tsx';
import { iconProps } from '#web/ui/primitives/icon.ts';
import { DeniedState, EmptyState, FailedState } from '#web/ui/states/states.tsx';
import { downloadUrl, type PreviewFile } from './preview-file.ts';
import { PreviewImage } from './preview-image.tsx';
import classes from './preview-overlay.module.css';
import { PreviewPdf } from './preview-pdf.tsx';

/** The file itself. If the browser cannot show it, says so and offers the download. */
export function PreviewContent({ file }: { file: PreviewFile }) {
	const [reason, setReason] = useState<FileFailureReason | null>(null);
	const fail = () => void findFileFailureReason(file.url).then(setReason);
	if (file.preview === 'pdf') return <PreviewPdf file={file} />;
	if (reason === 'gone') return <DeniedState title={m.files_preview_gone()} />;
	if (reason === 'failed') return <FailedState text={m.files_preview_failed()} onRetry={() => setReason(null)} />;
	if (file.preview === 'image' && reason === null)
		return <PreviewImage name={file.name} url={file.url} onFail={fail} />;
	return (
		<div className={classes.stage}>
			<div className={classes.centre}>
				{file.preview === null || reason === 'unplayable' ? (
					<EmptyState
						text={file.preview === null ? m.files_no_preview() : m.files_cannot_play()}
						action={
							<ButtonAnchor icon={<IconDownload {...iconProps} />} href={downloadUrl(file.url)} download>
								{m.files_download()}
							</ButtonAnchor>
						}
					/>
				) : (
					<NativePlayer file={file} onFail={fail} />
				)}
			</div>
		</div>
	);
}

function NativePlayer({ file, onFail }: { file: PreviewFile; onFail: () => void }) {
	const { name, url } = file;
	if (file.preview === 'video') {
		return (
			<video
				className={classes.video}
				src={url}
				controls
				playsInline
				preload="metadata"
				poster={file.thumb ?? undefined}
				aria-label={name}
				onError={onFail}
			/>
		);
	}
	return (
		<Stack gap={24} align="center" style={{ width: 'min(560px, 100%)' }}>
			<FileIcon name={name} size={96} />
			<audio src={url} controls preload="metadata" aria-label={name} style={{ width: '100%' }} onError={onFail} />
		</Stack>
	);
}
