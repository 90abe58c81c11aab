// biome-ignore-all lint/a11y/useMediaCaption: people's own films and recordings come without captions.
import { type SyntheticEvent, useRef } from 'react';
import { FileIcon } from '#web/ui/file-icon.tsx';
import classes from './lesson.module.css';
import type { OpenLessonProps } from './open-lesson.ts';

/** Whoever left in the last seconds has seen it, and begins again. */
const endSeconds = 2;

type MediaEvent = SyntheticEvent<HTMLMediaElement>;

/** A film or a recording, at the second where it was left. */
export function LessonPlayer({ node, start, onPlace, onRest, onFail }: OpenLessonProps & { onFail: () => void }) {
	// Until it stands where it was left, its place is not the person's.
	const isThere = useRef(false);
	const note = ({ currentTarget }: MediaEvent) => {
		if (isThere.current) onPlace(placeOf(currentTarget));
	};
	const rest = (event: MediaEvent) => {
		note(event);
		onRest();
	};
	const props = {
		src: node.url ?? '',
		controls: true,
		controlsList: 'nodownload',
		preload: 'metadata',
		'aria-label': node.name,
		onContextMenu: (event: MediaEvent) => event.preventDefault(),
		onLoadedMetadata: (event: MediaEvent) => {
			const media = event.currentTarget;
			const { position, total } = placeOf(media);
			const left = start?.position ?? 0;
			if (left > position && (total === 0 || left < total - endSeconds)) media.currentTime = left;
			else {
				isThere.current = true;
				note(event);
			}
		},
		onSeeked: (event: MediaEvent) => {
			isThere.current = true;
			rest(event);
		},
		onTimeUpdate: note,
		onPause: rest,
		onEnded: rest,
		onError: onFail,
	} as const;
	if (node.preview === 'video')
		return <video className={classes.video} playsInline poster={node.thumb ?? undefined} {...props} />;
	return (
		<div className={classes.audio}>
			<FileIcon name={node.name} size={96} />
			<audio {...props} />
		</div>
	);
}

function placeOf({ currentTime, duration }: HTMLMediaElement) {
	return { position: currentTime, total: Number.isFinite(duration) ? duration : 0 };
}
