import { Stack } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import { m } from '#messages';
import { type FileFailureReason, findFileFailureReason } from '#web/platform/api/failure.ts';
import { FileIcon } from '#web/ui/illustrations/file-icon.tsx';
import { PdfPane } from '#web/ui/pdf/viewer/pdf-pane.tsx';
import { Skeleton } from '#web/ui/states/skeleton.tsx';
import { DeniedState, EmptyState, FailedState } from '#web/ui/states/states.tsx';
import type { LessonViewerProps } from './course-api.ts';
import classes from './lesson.module.css';
import { LessonPlayer } from './lesson-player.tsx';

/** A lesson in the app's own viewer or player, which offers no download. */
export function LessonContent(props: LessonViewerProps) {
	const { node, onPosition } = props;
	const [problem, setProblem] = useState<FileFailureReason | null>(null);
	const hasPosition = node.preview === 'pdf' || node.preview === 'video' || node.preview === 'audio';
	// Stores that a lesson without positions was opened; otherwise the course would not offer to continue it.
	useEffect(() => {
		if (!hasPosition) onPosition({ position: 0, total: 0 });
	}, [hasPosition, onPosition]);

	if (node.preview === 'pdf') return <LessonPdf {...props} />;
	if (problem === 'gone') return <DeniedState title={m.course_lesson_gone()} />;
	if (problem === 'failed') return <FailedState text={m.course_lesson_failed()} onRetry={() => setProblem(null)} />;
	if (node.preview === null || node.url === null)
		return <UnsupportedLesson name={node.name} text={m.course_no_preview()} />;
	if (problem === 'unplayable') return <UnsupportedLesson name={node.name} text={m.course_cannot_play()} />;
	const fail = () => void findFileFailureReason(node.url ?? '').then(setProblem);
	return (
		<div className={classes.centre}>
			{node.preview === 'image' ? (
				<img
					className={classes.image}
					src={node.url}
					alt={node.name}
					onError={fail}
					onContextMenu={(event) => event.preventDefault()}
				/>
			) : (
				<LessonPlayer {...props} onFail={fail} />
			)}
		</div>
	);
}

function UnsupportedLesson({ name, text }: { name: string; text: string }) {
	return (
		<div className={classes.centre}>
			<Stack align="center" gap={0}>
				<FileIcon name={name} size={72} />
				<EmptyState text={text} />
			</Stack>
		</div>
	);
}

/** A PDF lesson, opened at the last page that the user viewed. */
function LessonPdf({ node, start, onPosition, onPause }: LessonViewerProps) {
	const onShown = useCallback(
		(position: number, total: number) => {
			onPosition({ position, total });
			// Sends the last page immediately, so that the lesson is shown as done while it is open.
			if (position === total) onPause();
		},
		[onPosition, onPause],
	);
	return (
		<PdfPane
			url={node.url ?? ''}
			sizeBytes={node.size}
			documentId={node.id}
			startPage={start?.position ?? 1}
			onShown={onShown}
			texts={{ denied: m.course_lesson_gone(), failed: m.course_lesson_failed() }}
			classNames={{ stage: classes.viewer, footer: classes.pages }}
			skeleton={
				<div className={classes.centre} role="status" aria-label={m.common_loading()}>
					<Skeleton width="min(480px, 80vw)" height="min(640px, 60dvh)" />
				</div>
			}
		/>
	);
}
