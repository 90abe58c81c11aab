import { Box, Flex } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Lesson } from '#contract/course/course.ts';
import { m } from '#messages';
import { describeFailure } from '#web/platform/api/failure.ts';
import { useHeadingFocus } from '#web/ui/hooks/focus.ts';
import { FileIcon } from '#web/ui/illustrations/file-icon.tsx';
import { ButtonLink } from '#web/ui/primitives/button.tsx';
import { ProgressBar } from '#web/ui/primitives/progress-bar.tsx';
import { SkeletonLines } from '#web/ui/states/skeleton.tsx';
import { EmptyState, FailedQuery } from '#web/ui/states/states.tsx';
import classes from './course.module.css';
import { lessonLink, type ModuleContent, moduleLink, useModule } from './course-api.ts';
import { CourseContentGone, ProgressState, positionLabel, progressLabel } from './lesson-state.tsx';

export function ModuleView({ id }: { id: string }) {
	const query = useModule(id);
	if (describeFailure(query.error).status === 404) return <CourseContentGone title={m.shared_gone_title()} />;
	const { data } = query;
	if (data === undefined) {
		if (query.error !== null) return <FailedQuery text={m.shared_content_failed()} query={query} />;
		return (
			<Box maw={860}>
				<SkeletonLines label={m.common_loading()} count={6} height="52px" />
			</Box>
		);
	}
	return <Lessons content={data} />;
}

function Lessons({ content }: { content: ModuleContent }) {
	const { module, lessons, isCut, previousModule, nextModule } = content;
	const done = lessons.filter(({ progress }) => progress?.isDone).length;
	const next = lessons.find(({ progress }) => !progress?.isDone);
	const hasProgress = lessons.some(({ progress }) => progress !== null);
	const heading = useHeadingFocus<HTMLHeadingElement>();
	return (
		<>
			<header className={classes.moduleHead}>
				<div className={classes.text}>
					<h2 ref={heading} tabIndex={-1} className={classes.moduleName}>
						<bdi>{module.name}</bdi>
					</h2>
					<p className={classes.note}>{progressLabel({ done, lessons: isCut ? null : lessons.length })}</p>
					{!isCut && lessons.length > 0 && (
						<ProgressBar label={m.course_progress_of({ name: module.name })} value={done / lessons.length} />
					)}
				</div>
				{next && (
					<ButtonLink
						variant="primary"
						{...lessonLink(module.id, next.node.id)}
						aria-label={
							hasProgress
								? m.course_go_on_with({ name: next.node.name })
								: m.course_begin_with({ name: next.node.name })
						}
						icon={IconPlayerPlay}
					>
						{hasProgress ? m.course_go_on() : m.course_begin()}
					</ButtonLink>
				)}
			</header>
			{lessons.length === 0 && <EmptyState text={m.files_empty()} />}
			{[...Map.groupBy(lessons, ({ section }) => section.join(' / '))].map(([name, items]) => (
				<section key={name} className={classes.section} aria-label={name === '' ? module.name : name}>
					{name !== '' && (
						<Box component="h3" mb={4} c="var(--muted)" fz={13} fw={600} style={{ overflowWrap: 'anywhere' }}>
							{name}
						</Box>
					)}
					<ol>
						{items.map((lesson) => (
							<li key={lesson.node.id}>
								<LessonRow moduleId={module.id} lesson={lesson} />
							</li>
						))}
					</ol>
				</section>
			))}
			{isCut && <p className={classes.note}>{m.course_lessons_truncated()}</p>}
			<Flex
				component="nav"
				wrap="wrap"
				justify="space-between"
				gap={8}
				className={classes.neighbours}
				aria-label={m.course_modules()}
			>
				{previousModule && (
					<ButtonLink variant="quiet" {...moduleLink(previousModule)}>
						{m.course_previous_module({ name: previousModule.name })}
					</ButtonLink>
				)}
				{nextModule && (
					<ButtonLink {...moduleLink(nextModule)}>{m.course_next_module({ name: nextModule.name })}</ButtonLink>
				)}
			</Flex>
		</>
	);
}

function LessonRow({ moduleId, lesson }: { moduleId: string; lesson: Lesson }) {
	const { node, progress } = lesson;
	const position = progress?.isDone ? null : positionLabel(lesson);
	return (
		<Link {...lessonLink(moduleId, node.id)} data-course={node.id} className={classes.lesson}>
			<FileIcon name={node.name} size={32} />
			<span className={classes.text}>
				<span className={classes.name}>
					<bdi>{node.name}</bdi>
				</span>
				{position !== null && <span className={classes.note}>{position}</span>}
			</span>
			<ProgressState progress={progress} />
		</Link>
	);
}
