import { Box, Flex, Modal, Stack } from '@mantine/core';
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
import { FailedState } from '#web/ui/states/states.tsx';
import { type ModuleContent, useLessonProgress, useModule } from './course-api.ts';
import {
	type CourseLocation,
	lessonHistoryState,
	lessonLink,
	moduleLink,
	useHasLessonHistoryEntry,
} from './course-location.ts';
import classes from './lesson.module.css';
import { LessonContent } from './lesson-content.tsx';
import { CourseContentGone } from './lesson-state.tsx';

interface LessonScreenProps {
	location: CourseLocation;
	onClose: () => void;
}

/** A lesson in full screen. Its position is refetched, because it may have been continued on another device. */
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
		<Flex direction="column" flex={1} mih={0}>
			<header className={screenClasses.bar}>
				<LessonTitle name={m.screen_course()} />
				<IconButton label={m.common_close()} icon={IconX} onClick={onClose} />
			</header>
			<div className={classes.stage}>
				{isUnavailable ? (
					<CourseContentGone title={m.course_lesson_gone()} replace />
				) : error !== null && isFetchedAfterMount ? (
					<FailedState text={m.course_lesson_failed()} onRetry={() => void refetch()} isRetrying={isFetching} />
				) : (
					<div className={classes.centre} role="status" aria-label={m.common_loading()}>
						<Skeleton width="min(640px, 80vw)" height="min(400px, 50dvh)" />
					</div>
				)}
			</div>
		</Flex>
	);
}

/** Takes the focus when a lesson opens, and again if the focused element was removed with the previous bar. */
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
		<Flex direction="column" flex={1} mih={0}>
			<header className={screenClasses.bar}>
				<Stack gap={2} flex={1} miw={0}>
					<LessonTitle name={node.name} />
					<p className={screenClasses.meta}>
						{module.module.kind === 'folder' ? `${position} · ${module.module.name}` : position}
					</p>
				</Stack>
				{setDone && <DoneSwitch isDone={isDone} onMark={setDone} />}
				<IconButton label={m.common_close()} icon={IconX} onClick={onClose} />
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
		</Flex>
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

/** Links to the previous and the next lesson; after the last lesson, to the next module. */
function LessonNavigation({ module, index, isDone }: { module: ModuleContent; index: number; isDone: boolean }) {
	const hasHistoryEntry = useHasLessonHistoryEntry();
	const previous = module.lessons[index - 1];
	const next = module.lessons[index + 1];
	const { nextModule } = module;
	// The links replace the history entry: closing any lesson goes back to the entry before the first lesson.
	const state = hasHistoryEntry ? lessonHistoryState : {};
	const variant = isDone ? 'primary' : 'default';
	const linkTo = ({ node }: Lesson) => lessonLink(module.module.id, node.id, state);
	return (
		<Flex
			component="nav"
			align="center"
			justify="space-between"
			gap={12}
			flex="none"
			mih={56}
			className={classes.navigation}
			aria-label={m.course_lesson_navigation()}
		>
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
					<span className={classes.truncated}>{m.course_next_module({ name: nextModule.name })}</span>
					<IconChevronRight {...iconProps} />
				</ButtonLink>
			) : (
				<span className={screenClasses.meta}>{m.course_last_lesson()}</span>
			)}
		</Flex>
	);
}
