// biome-ignore-all lint/a11y/useMediaCaption: users' own videos and recordings have no captions.
import { Stack } from '@mantine/core';
import type { MediaHTMLAttributes } from 'react';
import { FileIcon } from '../illustrations/file-icon.tsx';
import classes from '../overlays/full-screen.module.css';

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
