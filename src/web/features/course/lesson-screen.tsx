import { Box, Modal } from '@mantine/core';
import { IconCheck, IconChevronLeft, IconChevronRight, IconCircle, IconX } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import type { Lesson } from '#contract/course/course.ts';
import { m } from '#messages';
import { describeFailure } from '#web/platform/api/failure.ts';
import screenClasses from '#web/ui/overlays/full-screen.module.css';
import { Button, ButtonLink } from '#web/ui/primitives/button.tsx';
import { iconProps } from '#web/ui/primitives/icon.ts';
import { IconButton } from '#web/ui/primitives/icon-button.tsx';
import { Skeleton } from '#web/ui/states/skeleton.tsx';
import { DeniedState, FailedState } from '#web/ui/states/states.tsx';
import { type ModuleContent, useLessonProgress, useModule } from './course-api.ts';
import {
	type CourseLocation,
	coursePath,
	courseSearchParams,
	lessonHistoryState,
	moduleSearchParams,
	useHasLessonHistoryEntry,
} from './course-location.ts';
import classes from './lesson.module.css';
import { LessonContent } from './lesson-content.tsx';

interface LessonScreenProps {
	location: CourseLocation;
	onClose: () => void;
}

/** A lesson in full screen. Its position is refetched: it may have been left on another device. */
export function LessonScreen({ location, onClose }: LessonScreenProps) {
	return (
		<Modal.Root opened onClose={onClose} fullScreen padding={0} transitionProps={{ duration: 0 }}>
			<Modal.Content classNames={{ content: screenClasses.content }} radius={0}>
				<LessonLoader key={location.lesson} location={location} onClose={onClose} />
			</Modal.Content>
		</Modal.Root>
	);
}

function LessonLoader({ location, onClose }: LessonScreenProps) {
	const { data, error, isFetchedAfterMount, refetch, isFetching } = useModule(location.module);
	const index = data?.lessons.findIndex(({ node }) => node.id === location.lesson) ?? -1;
	const lesson = data?.lessons[index];
	const isNotFound = error !== null && describeFailure(error).status === 404;
	const isUnavailable = isFetchedAfterMount && (isNotFound || (data !== undefined && lesson === undefined));
	if (isFetchedAfterMount && !isUnavailable && data !== undefined && lesson !== undefined)
		return <OpenLesson module={data} lesson={lesson} index={index} onClose={onClose} />;
	return (
		<div className={screenClasses.frame}>
			<header className={screenClasses.bar}>
				<LessonTitle name={m.screen_course()} />
				<IconButton label={m.common_close()} icon={<IconX {...iconProps} />} onClick={onClose} />
			</header>
			<div className={classes.stage}>
				{isUnavailable ? (
					<LessonUnavailable />
				) : error !== null && isFetchedAfterMount ? (
					<FailedState text={m.course_lesson_failed()} onRetry={() => void refetch()} isRetrying={isFetching} />
				) : (
					<div className={classes.centre} role="status" aria-label={m.common_loading()}>
						<Skeleton width="min(640px, 80vw)" height="min(400px, 50dvh)" />
					</div>
				)}
			</div>
		</div>
	);
}

/** Takes the focus when a lesson is opened; with the bar before goes what had it there, and it takes it again. */
function LessonTitle({ name }: { name: string }) {
	const title = useRef<HTMLHeadingElement>(null);
	useEffect(() => {
		const isInside = document.activeElement?.closest('[role="dialog"]') != null;
		if (!isInside) title.current?.focus();
	}, []);
	return (
		<Modal.Title ref={title} tabIndex={-1} data-autofocus className={screenClasses.name} title={name}>
			<bdi>{name}</bdi>
		</Modal.Title>
	);
}

function LessonUnavailable() {
	return (
		<DeniedState
			title={m.course_lesson_gone()}
			text={m.shared_gone_text()}
			action={
				<ButtonLink variant="primary" to={coursePath} replace>
					{m.course_back()}
				</ButtonLink>
			}
		/>
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
		<div className={screenClasses.frame}>
			<header className={screenClasses.bar}>
				<div className={screenClasses.text}>
					<LessonTitle name={node.name} />
					<p className={screenClasses.meta}>
						{module.module.kind === 'folder' ? `${position} · ${module.module.name}` : position}
					</p>
				</div>
				{setDone && <DoneSwitch isDone={isDone} onMark={setDone} />}
				<IconButton label={m.common_close()} icon={<IconX {...iconProps} />} onClick={onClose} />
			</header>
			<div className={classes.stage}>
				<LessonContent node={node} start={progress} onPosition={onPosition} onPause={onPause} />
			</div>
			{isUnsaved && (
				<Box component="p" role="status" bg="var(--negative-soft)" c="var(--negative)" p="6px 16px" fz={13} ta="center">
					{m.course_progress_not_saved()}
				</Box>
			)}
			<LessonNavigation module={module} index={index} isDone={isDone} />
		</div>
	);
}

function DoneSwitch({ isDone, onMark }: { isDone: boolean; onMark: (isDone: boolean) => void }) {
	return (
		<Button
			variant="quiet"
			aria-pressed={isDone}
			style={isDone ? { color: 'var(--positive)' } : undefined}
			icon={isDone ? <IconCheck {...iconProps} /> : <IconCircle {...iconProps} />}
			onClick={() => onMark(!isDone)}
		>
			{isDone ? m.course_done() : m.course_mark_done()}
		</Button>
	);
}

/** The lesson before and the next; behind the last the next module. */
function LessonNavigation({ module, index, isDone }: { module: ModuleContent; index: number; isDone: boolean }) {
	const hasHistoryEntry = useHasLessonHistoryEntry();
	const previous = module.lessons[index - 1];
	const next = module.lessons[index + 1];
	const { nextModule } = module;
	// Whichever lesson one has come to, closing it takes back the step that opened the first.
	const state = hasHistoryEntry ? lessonHistoryState : {};
	const variant = isDone ? 'primary' : 'default';
	const linkTo = ({ node }: Lesson) => {
		const search = courseSearchParams({ module: module.module.id, lesson: node.id });
		return { to: coursePath, replace: true, search, state } as const;
	};
	return (
		<nav className={classes.navigation} aria-label={m.course_lesson_navigation()}>
			{previous ? (
				<ButtonLink variant="quiet" {...linkTo(previous)} icon={<IconChevronLeft {...iconProps} />}>
					{m.course_previous_lesson()}
				</ButtonLink>
			) : (
				<span />
			)}
			{next ? (
				<ButtonLink variant={variant} {...linkTo(next)}>
					{m.course_next_lesson()}
					<IconChevronRight {...iconProps} />
				</ButtonLink>
			) : nextModule ? (
				<ButtonLink
					variant={variant}
					to={coursePath}
					replace
					search={moduleSearchParams(nextModule)}
					state={nextModule.kind === 'file' ? state : {}}
					className={classes.nextModule ?? ''}
				>
					<span className={classes.truncated}>{m.course_next_module({ name: nextModule.name })}</span>
					<IconChevronRight {...iconProps} />
				</ButtonLink>
			) : (
				<span className={screenClasses.meta}>{m.course_last_lesson()}</span>
			)}
		</nav>
	);
}
