// biome-ignore-all lint/a11y/useMediaCaption: people's own videos and recordings come without captions.
import { Stack } from '@mantine/core';
import { type SyntheticEvent, useRef } from 'react';
import { FileIcon } from '#web/ui/illustrations/file-icon.tsx';
import type { LessonViewerProps } from './course-api.ts';
import classes from './lesson.module.css';

/** A viewer who left in the last seconds has seen it, and starts from the beginning. */
const endSeconds = 2;

type MediaEvent = SyntheticEvent<HTMLMediaElement>;

/** A video or a recording, at the second where it was left. */
export function LessonPlayer(props: LessonViewerProps & { onFail: () => void }) {
	const { node, start, onPosition, onPause, onFail } = props;
	// Until it has moved to the stored position, its position is not the viewer's.
	const isAtStartPosition = useRef(false);
	const reportPosition = ({ currentTarget }: MediaEvent) => {
		if (isAtStartPosition.current) onPosition(mediaPosition(currentTarget));
	};
	const reportPause = (event: MediaEvent) => {
		reportPosition(event);
		onPause();
	};
	const mediaProps = {
		src: node.url ?? '',
		controls: true,
		controlsList: 'nodownload',
		preload: 'metadata',
		'aria-label': node.name,
		onContextMenu: (event: MediaEvent) => event.preventDefault(),
		onLoadedMetadata: (event: MediaEvent) => {
			const media = event.currentTarget;
			const { position, total } = mediaPosition(media);
			const startPosition = start?.position ?? 0;
			if (startPosition > position && (total === 0 || startPosition < total - endSeconds))
				media.currentTime = startPosition;
			else {
				isAtStartPosition.current = true;
				reportPosition(event);
			}
		},
		onSeeked: (event: MediaEvent) => {
			isAtStartPosition.current = true;
			reportPause(event);
		},
		onTimeUpdate: reportPosition,
		onPause: reportPause,
		onEnded: reportPause,
		onError: onFail,
	} as const;
	if (node.preview === 'video')
		return <video className={classes.video} playsInline poster={node.thumb ?? undefined} {...mediaProps} />;
	return (
		<Stack align="center" gap={24} w="min(560px, 100%)">
			<FileIcon name={node.name} size={96} />
			<audio style={{ width: '100%' }} {...mediaProps} />
		</Stack>
	);
}

function mediaPosition({ currentTime, duration }: HTMLMediaElement) {
	return { position: currentTime, total: Number.isFinite(duration) ? duration : 0 };
}
