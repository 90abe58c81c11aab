import { type ReactNode, useEffect, useState } from 'react';
import { m } from '#messages';
import { type FileFailureReason, findFileFailureReason } from '#web/platform/api/failure.ts';
import { FileIcon } from '#web/ui/illustrations/file-icon.tsx';
import { DeniedState, EmptyState, FailedState } from '#web/ui/states/states.tsx';
import classes from './lesson.module.css';
import { LessonPdf } from './lesson-pdf.tsx';
import { LessonPlayer } from './lesson-player.tsx';
import type { LessonViewerProps } from './lesson-progress-sync.ts';

/** The lesson itself, in the product's own reader or player. Nothing here leads to a download. */
export function LessonContent(props: LessonViewerProps) {
	const { node, onPosition: onPlace } = props;
	const [problem, setProblem] = useState<FileFailureReason | null>(null);
	const hasPosition = node.preview === 'pdf' || node.preview === 'video' || node.preview === 'audio';
	// What has no places is noted as opened, so that one can go on with it.
	useEffect(() => {
		if (!hasPosition) onPlace({ position: 0, total: 0 });
	}, [hasPosition, onPlace]);

	if (node.preview === 'pdf') return <LessonPdf {...props} />;
	if (problem === 'gone') return <DeniedState title={m.course_lesson_gone()} />;
	if (problem === 'failed') return <FailedState text={m.course_lesson_failed()} onRetry={() => setProblem(null)} />;
	if (node.preview === null || node.url === null)
		return <UnsupportedLesson name={node.name} text={m.course_no_preview()} />;
	if (problem === 'unplayable') return <UnsupportedLesson name={node.name} text={m.course_cannot_play()} />;
	const fail = () => void findFileFailureReason(node.url ?? '').then(setProblem);
	return (
		<Centered>
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
		</Centered>
	);
}

function Centered({ children }: { children: ReactNode }) {
	return <div className={classes.centre}>{children}</div>;
}

function UnsupportedLesson({ name, text }: { name: string; text: string }) {
	return (
		<Centered>
			<div className={classes.unsupported}>
				<FileIcon name={name} size={72} />
				<EmptyState text={text} />
			</div>
		</Centered>
	);
}
