import { useCallback, useEffect } from 'react';
import { m } from '#messages';
import { FileViewer } from '#web/ui/overlays/file-viewer.tsx';
import classes from '#web/ui/overlays/full-screen.module.css';
import { Stage } from '#web/ui/overlays/full-screen.tsx';
import type { LessonViewerProps } from './course-api.ts';
import { LessonPlayer } from './lesson-player.tsx';

export function LessonContent(props: LessonViewerProps) {
	const { node, start, onPosition, onPause } = props;
	const hasPosition = node.preview === 'pdf' || node.preview === 'video' || node.preview === 'audio';
	// Opening a lesson without positions is stored too, so that the course offers to continue this lesson.
	useEffect(() => {
		if (!hasPosition) onPosition({ position: 0, total: 0 });
	}, [hasPosition, onPosition]);
	const onShown = useCallback(
		(position: number, total: number) => {
			onPosition({ position, total });
			// On the last page the position is sent immediately, so that the lesson is shown as done while it is still open.
			if (position === total) onPause();
		},
		[onPosition, onPause],
	);
	return (
		<FileViewer
			file={node}
			documentId={node.id}
			startPage={start?.position ?? 1}
			onShown={onShown}
			texts={{
				gone: m.course_lesson_gone(),
				failed: m.course_lesson_failed(),
				unsupported: m.course_no_preview(),
				unplayable: m.course_cannot_play(),
			}}
		>
			{(onFail) => (
				<Stage>
					{node.preview === 'image' ? (
						<img
							className={classes.image}
							src={node.url ?? ''}
							alt={node.name}
							onError={onFail}
							onContextMenu={(event) => event.preventDefault()}
						/>
					) : (
						<LessonPlayer {...props} onFail={onFail} />
					)}
				</Stage>
			)}
		</FileViewer>
	);
}
