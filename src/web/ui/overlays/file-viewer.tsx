// biome-ignore-all lint/a11y/useMediaCaption: users' own videos and recordings have no captions.
import { Stack } from '@mantine/core';
import { type ComponentProps, type MediaHTMLAttributes, type ReactNode, useState } from 'react';
import { type FileFailureReason, findFileFailureReason } from '#web/platform/api/failure.ts';
import { FileIcon } from '../illustrations/file-icon.tsx';
import { PdfPane } from '../pdf/viewer/pdf-pane.tsx';
import { DeniedState, EmptyState, FailedState } from '../states/states.tsx';
import classes from './full-screen.module.css';
import { Stage } from './full-screen.tsx';

interface FileViewerProps extends Pick<ComponentProps<typeof PdfPane>, 'documentId' | 'startPage' | 'onShown'> {
	file: { name: string; url: string | null; size: number; preview: string | null };
	/**
	 * `gone`: the user cannot access the file; `failed`: the file could not be loaded; `unsupported`: there is no preview
	 * for this type; `unplayable`: the browser cannot show this file.
	 */
	texts: { gone: string; failed: string; unsupported: string; unplayable: string };
	/** Shown if the file has no preview or the browser cannot show it. */
	action?: ReactNode;
	/** Renders an image, a video or a recording. Must call `onFail` when the browser cannot show the file. */
	children: (onFail: () => void) => ReactNode;
}

/** The content of a full-screen dialog: a file or an error. */
export function FileViewer({ file, texts, action, children, ...pdfProps }: FileViewerProps) {
	const { name, url, size, preview } = file;
	const [problem, setProblem] = useState<FileFailureReason | null>(null);
	const isSupported = preview !== null && url !== null;
	if (isSupported && preview === 'pdf') return <PdfPane url={url} sizeBytes={size} texts={texts} {...pdfProps} />;
	if (isSupported && problem === null) return children(() => void findFileFailureReason(url).then(setProblem));
	return (
		<Stage>
			{problem === 'gone' ? (
				<DeniedState title={texts.gone} />
			) : problem === 'failed' ? (
				<FailedState text={texts.failed} onRetry={() => setProblem(null)} />
			) : (
				<Stack align="center" gap={0}>
					<FileIcon name={name} size={72} />
					<EmptyState text={isSupported ? texts.unplayable : texts.unsupported} action={action} />
				</Stack>
			)}
		</Stage>
	);
}

interface MediaPlayerProps extends MediaHTMLAttributes<HTMLMediaElement> {
	file: { name: string; url: string | null; preview: string | null; thumb: string | null };
}

/** Uses the browser's own player. For audio, a file icon is shown above the player. */
export function MediaPlayer({ file: { name, url, preview, thumb }, ...rest }: MediaPlayerProps) {
	const shared = { src: url ?? '', controls: true, preload: 'metadata', 'aria-label': name, ...rest } as const;
	if (preview === 'video')
		return <video className={classes.video} playsInline poster={thumb ?? undefined} {...shared} />;
	return (
		<Stack align="center" gap={24} w="min(560px, 100%)">
			<FileIcon name={name} size={96} />
			<audio style={{ width: '100%' }} {...shared} />
		</Stack>
	);
}
