import { type ReactNode, useEffect, useState } from 'react';
import { m } from '#messages';
import { type FileFault, findFault } from '#web/platform/file-fault.ts';
import { DeniedState, EmptyState, FailedState } from '#web/ui/faces.tsx';
import { FileIcon } from '#web/ui/file-icon.tsx';
import classes from './lesson.module.css';
import { LessonPdf } from './lesson-pdf.tsx';
import { LessonPlayer } from './lesson-player.tsx';
import type { OpenLessonProps } from './open-lesson.ts';

/** The lesson itself, in the product's own reader or player. Nothing here leads to a download. */
export function LessonContent(props: OpenLessonProps) {
	const { node, onPlace } = props;
	const [fault, setFault] = useState<FileFault | null>(null);
	const hasPlaces = node.preview === 'pdf' || node.preview === 'video' || node.preview === 'audio';
	// What has no places is noted as opened, so that one can go on with it.
	useEffect(() => {
		if (!hasPlaces) onPlace({ position: 0, total: 0 });
	}, [hasPlaces, onPlace]);

	if (node.preview === 'pdf') return <LessonPdf {...props} />;
	if (fault === 'gone') return <DeniedState title={m.course_lesson_gone()} />;
	if (fault === 'failed') return <FailedState text={m.course_lesson_failed()} onRetry={() => setFault(null)} />;
	if (node.preview === null || node.url === null) return <CannotShow name={node.name} text={m.course_no_preview()} />;
	if (fault === 'unplayable') return <CannotShow name={node.name} text={m.course_cannot_play()} />;
	const fail = () => void findFault(node.url ?? '').then(setFault);
	return (
		<Centre>
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
		</Centre>
	);
}

function Centre({ children }: { children: ReactNode }) {
	return <div className={classes.centre}>{children}</div>;
}

function CannotShow({ name, text }: { name: string; text: string }) {
	return (
		<Centre>
			<div className={classes.cannot}>
				<FileIcon name={name} size={72} />
				<EmptyState text={text} />
			</div>
		</Centre>
	);
}
