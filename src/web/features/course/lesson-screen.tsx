import { Box } from '@mantine/core';
import { IconCheck, IconChevronLeft, IconChevronRight, IconCircle } from '@tabler/icons-react';
import type { Lesson } from '#contract/course/course.ts';
import { m } from '#messages';
import { describeFailure } from '#web/platform/api/failure.ts';
import screenClasses from '#web/ui/overlays/full-screen.module.css';
import { FullScreenBar, FullScreenDialog, Stage, StageSkeleton } from '#web/ui/overlays/full-screen.tsx';
import { Button, ButtonLink } from '#web/ui/primitives/button.tsx';
import { iconProps } from '#web/ui/primitives/icon.ts';
import textClasses from '#web/ui/primitives/text.module.css';
import { FailedState } from '#web/ui/states/states.tsx';
import classes from './course.module.css';
import {
	lessonHistoryState,
	lessonLink,
	type ModuleContent,
	moduleLink,
	useHasLessonHistoryEntry,
	useLessonProgress,
	useModule,
} from './course-api.ts';
import { LessonContent } from './lesson-content.tsx';
import { CourseContentGone } from './lesson-state.tsx';

interface LessonScreenProps {
	moduleId: string;
	lessonId: string;
	onClose: () => void;
}

/** Refetches the position, because the user may have continued the lesson on another device. */
export function LessonScreen(props: LessonScreenProps) {
	return (
		<FullScreenDialog onClose={props.onClose}>
			<LessonLoader key={props.lessonId} {...props} />
		</FullScreenDialog>
	);
}

function LessonLoader({ moduleId, lessonId, onClose }: LessonScreenProps) {
	const { data, error, isFetchedAfterMount, refetch, isFetching } = useModule(moduleId);
	const index = data?.lessons.findIndex(({ node }) => node.id === lessonId) ?? -1;
	const lesson = data?.lessons[index];
	const isGone = describeFailure(error).status === 404 || (data !== undefined && lesson === undefined);
	if (isFetchedAfterMount && !isGone && data !== undefined && lesson !== undefined)
		return <OpenLesson module={data} lesson={lesson} index={index} onClose={onClose} />;
	return (
		<>
			<FullScreenBar name={m.screen_course()} onClose={onClose} />
			{!isFetchedAfterMount ? (
				<StageSkeleton />
			) : (
				<Stage>
					{isGone ? (
						<CourseContentGone title={m.course_lesson_gone()} replace />
					) : (
						<FailedState text={m.course_lesson_failed()} onRetry={() => void refetch()} isRetrying={isFetching} />
					)}
				</Stage>
			)}
		</>
	);
}

interface OpenLessonProps {
	module: ModuleContent;
	lesson: Lesson;
	index: number;
	onClose: () => void;
}

function OpenLesson({ module, lesson, index, onClose }: OpenLessonProps) {
	const { node, progress } = lesson;
	const { isDone, isUnsaved, setDone, onPosition, onPause } = useLessonProgress(node.id, progress);
	const position = m.course_position({ index: index + 1, count: module.lessons.length });
	return (
		<>
			<FullScreenBar
				name={node.name}
				meta={module.module.kind === 'folder' ? `${position} · ${module.module.name}` : position}
				onClose={onClose}
			>
				{setDone && <DoneSwitch isDone={isDone} onMark={setDone} />}
			</FullScreenBar>
			<LessonContent node={node} start={progress} onPosition={onPosition} onPause={onPause} />
			{isUnsaved && (
				<Box component="p" role="status" bg="var(--negative-soft)" c="var(--negative)" p="6px 16px" fz={13} ta="center">
					{m.course_progress_not_saved()}
				</Box>
			)}
			<LessonNavigation module={module} index={index} isDone={isDone} />
		</>
	);
}

function DoneSwitch({ isDone, onMark }: { isDone: boolean; onMark: (isDone: boolean) => void }) {
	return (
		<Button
			variant="quiet"
			aria-pressed={isDone}
			style={isDone ? { color: 'var(--positive)' } : undefined}
			icon={isDone ? IconCheck : IconCircle}
			onClick={() => onMark(!isDone)}
		>
			{isDone ? m.course_done() : m.course_mark_done()}
		</Button>
	);
}

function LessonNavigation({ module, index, isDone }: { module: ModuleContent; index: number; isDone: boolean }) {
	const hasHistoryEntry = useHasLessonHistoryEntry();
	const previous = module.lessons[index - 1];
	const next = module.lessons[index + 1];
	const { nextModule } = module;
	// The links replace the history entry, so that closing any lesson returns to the screen that opened the first one.
	const state = hasHistoryEntry ? lessonHistoryState : {};
	const variant = isDone ? 'primary' : 'default';
	const linkTo = ({ node }: Lesson) => lessonLink(module.module.id, node.id, state);
	return (
		<nav className={screenClasses.footer} aria-label={m.course_lesson_navigation()}>
			{previous ? (
				<ButtonLink variant="quiet" replace {...linkTo(previous)} icon={IconChevronLeft}>
					{m.course_previous_lesson()}
				</ButtonLink>
			) : (
				<span />
			)}
			{next ? (
				<ButtonLink variant={variant} replace {...linkTo(next)}>
					{m.course_next_lesson()}
					<IconChevronRight {...iconProps} />
				</ButtonLink>
			) : nextModule ? (
				<ButtonLink variant={variant} replace {...moduleLink(nextModule, state)} className={classes.nextModule ?? ''}>
					<span className={textClasses.cut}>{m.course_next_module({ name: nextModule.name })}</span>
					<IconChevronRight {...iconProps} />
				</ButtonLink>
			) : (
				<span className={screenClasses.meta}>{m.course_last_lesson()}</span>
			)}
		</nav>
	);
}
