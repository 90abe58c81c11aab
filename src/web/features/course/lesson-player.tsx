import { type SyntheticEvent, useRef } from 'react';
import { MediaPlayer } from '#web/ui/overlays/file-viewer.tsx';
import type { LessonViewerProps } from './course-api.ts';

/** If the stored position is within this time before the end, the video or recording starts from the beginning. */
const endSeconds = 2;

type MediaEvent = SyntheticEvent<HTMLMediaElement>;

export function LessonPlayer(props: LessonViewerProps & { onFail: () => void }) {
	const { node, start, onPosition, onPause, onFail } = props;
	// A position that is reported before the jump to the stored position would overwrite the stored position.
	const isAtStartPosition = useRef(false);
	const reportPosition = ({ currentTarget }: MediaEvent) => {
		if (isAtStartPosition.current) onPosition(mediaPosition(currentTarget));
	};
	const reportPause = (event: MediaEvent) => {
		reportPosition(event);
		onPause();
	};
	return (
		<MediaPlayer
			file={node}
			controlsList="nodownload"
			onContextMenu={(event) => event.preventDefault()}
			onLoadedMetadata={(event) => {
				const media = event.currentTarget;
				const { position, total } = mediaPosition(media);
				const startPosition = start?.position ?? 0;
				if (startPosition > position && (total === 0 || startPosition < total - endSeconds))
					media.currentTime = startPosition;
				else {
					isAtStartPosition.current = true;
					reportPosition(event);
				}
			}}
			onSeeked={(event) => {
				isAtStartPosition.current = true;
				reportPause(event);
			}}
			onTimeUpdate={reportPosition}
			onPause={reportPause}
			onEnded={reportPause}
			onError={onFail}
		/>
	);
}

function mediaPosition({ currentTime, duration }: HTMLMediaElement) {
	return { position: currentTime, total: Number.isFinite(duration) ? duration : 0 };
}
