// biome-ignore-all lint/a11y/useMediaCaption: users' own videos and recordings have no captions.
import { Stack } from '@mantine/core';
import type { MediaHTMLAttributes } from 'react';
import { FileIcon } from '../illustrations/file-icon.tsx';

interface MediaPlayerProps extends MediaHTMLAttributes<HTMLMediaElement> {
	file: { name: string; url: string | null; preview: string | null; thumb: string | null };
	/** Class of a video; a recording is shown as its icon above the player. */
	videoClass: string | undefined;
}

/** The browser's own player of a video or recording. */
export function MediaPlayer({ file: { name, url, preview, thumb }, videoClass, ...rest }: MediaPlayerProps) {
	const shared = { src: url ?? '', controls: true, preload: 'metadata', 'aria-label': name, ...rest } as const;
	if (preview === 'video') return <video className={videoClass} playsInline poster={thumb ?? undefined} {...shared} />;
	return (
		<Stack align="center" gap={24} w="min(560px, 100%)">
			<FileIcon name={name} size={96} />
			<audio style={{ width: '100%' }} {...shared} />
		</Stack>
	);
}
