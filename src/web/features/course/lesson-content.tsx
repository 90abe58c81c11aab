import { Stack } from '@mantine/core';
import { useEffect, useState } from 'react';
import { m } from '#messages';
import { type FileFailureReason, findFileFailureReason } from '#web/platform/api/failure.ts';
import { FileIcon } from '#web/ui/illustrations/file-icon.tsx';
import { DeniedState, EmptyState, FailedState } from '#web/ui/states/states.tsx';
import type { LessonViewerProps } from './course-api.ts';
import classes from './lesson.module.css';
import { LessonPdf } from './lesson-pdf.tsx';
import { LessonPlayer } from './lesson-player.tsx';

/** The lesson itself, in the product's own reader or player. Nothing here leads to a download. */
export function LessonContent(props: LessonViewerProps) {
	const { node, onPosition } = props;
	const [problem, setProblem] = useState<FileFailureReason | null>(null);
	const hasPosition = node.preview === 'pdf' || node.preview === 'video' || node.preview === 'audio';
	// What has no places is noted as opened, so that one can go on with it.
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
