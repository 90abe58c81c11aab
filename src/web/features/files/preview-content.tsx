// biome-ignore-all lint/a11y/useMediaCaption: people's own films and recordings come without captions.
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { m } from '#messages';
import { type FileFault, findFault } from '#web/platform/file-fault.ts';
import { ButtonAnchor } from '#web/ui/button.tsx';
import { DeniedState, EmptyState, FailedState } from '#web/ui/faces.tsx';
import { FileIcon } from '#web/ui/file-icon.tsx';
import { iconProps } from '#web/ui/icon.ts';
import { downloadUrl, type PreviewFile } from './file-preview.ts';
import { PreviewImage } from './preview-image.tsx';
import classes from './preview-overlay.module.css';
import { PreviewPdf } from './preview-pdf.tsx';

/** The file itself. What the browser cannot show says so and offers the download. */
export function PreviewContent({ file }: { file: PreviewFile }) {
	const [fault, setFault] = useState<FileFault | null>(null);
	const fail = () => void findFault(file.url).then(setFault);
	if (file.preview === 'pdf') return <PreviewPdf file={file} />;
	if (fault === 'gone') return <DeniedState title={m.files_preview_gone()} />;
	if (fault === 'failed') return <FailedState text={m.files_preview_failed()} onRetry={() => setFault(null)} />;
	if (file.preview === 'image' && fault === null) return <PreviewImage name={file.name} url={file.url} onFail={fail} />;
	return (
		<div className={classes.stage}>
			<div className={classes.centre}>
				{file.preview === null || fault === 'unplayable' ? (
					<CannotShow file={file} text={file.preview === null ? m.files_no_preview() : m.files_cannot_play()} />
				) : (
					<Native file={file} onFail={fail} />
				)}
			</div>
		</div>
	);
}

function Native({ file, onFail }: { file: PreviewFile; onFail: () => void }) {
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
		<div className={classes.audio}>
			<FileIcon name={name} size={96} />
			<audio src={url} controls preload="metadata" aria-label={name} onError={onFail} />
		</div>
	);
}

function CannotShow({ file, text }: { file: PreviewFile; text: string }) {
	return (
		<EmptyState
			text={text}
			action={
				<ButtonAnchor icon={<IconDownload {...iconProps} />} href={downloadUrl(file.url)} download>
					{m.files_download()}
				</ButtonAnchor>
			}
		/>
	);
}
