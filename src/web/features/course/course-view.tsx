import { Box, Center, Flex, Stack } from '@mantine/core';
import { IconChevronRight, IconPlayerPlay } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { CourseModule } from '#contract/course/course.ts';
import { m } from '#messages';
import type { CallOutputs } from '#web/platform/api/client.ts';
import { FileIcon, FolderIcon } from '#web/ui/illustrations/file-icon.tsx';
import { Button, ButtonLink } from '#web/ui/primitives/button.tsx';
import { iconProps } from '#web/ui/primitives/icon.ts';
import { ProgressBar } from '#web/ui/primitives/progress-bar.tsx';
import { Skeleton } from '#web/ui/states/skeleton.tsx';
import { EmptyState, FailedQuery } from '#web/ui/states/states.tsx';
import classes from './course.module.css';
import { useCourse } from './course-api.ts';
import { coursePath, courseSearchParams, lessonHistoryState, moduleSearchParams } from './course-location.ts';
import { LessonStateIcon, lessonStateOf, positionLabel, progressLabel } from './lesson-state.tsx';

/** What is shared with the person as a course: where to go on, and the modules with what is done of each. */
export function CourseView() {
	const course = useCourse();
	const { data, hasNextPage } = course;
	if (data === undefined) {
		if (course.error !== null) return <FailedQuery text={m.shared_failed()} query={course} />;
		return (
			<Stack gap={12} maw={860} role="status" aria-label={m.common_loading()}>
				{['a', 'b', 'c', 'd'].map((key) => (
					<Skeleton key={key} height="84px" />
				))}
			</Stack>
		);
	}
	const modules = data.pages.flatMap(({ items }) => items);
	const resume = data.pages[0]?.resume;
	if (modules.length === 0) return <EmptyState text={m.shared_none()} />;
	return (
		<>
			{resume && <ResumeCard {...resume} />}
			<section className={classes.modules} aria-labelledby="course-modules">
				<Flex component="header" wrap="wrap" align="baseline" gap="4px 10px" fz={18}>
					<Box component="h2" id="course-modules" fz="inherit">
						{m.course_modules()}
					</Box>
					{!hasNextPage && <span className={classes.note}>{progressLabel(sumProgress(modules))}</span>}
				</Flex>
				<ol className={classes.list}>
					{modules.map((module) => (
						<li key={module.node.id}>
							<ModuleCard module={module} />
						</li>
					))}
				</ol>
				{hasNextPage && (
					<Button onClick={() => void course.fetchNextPage()} disabled={course.isFetchingNextPage}>
						{m.course_more()}
					</Button>
				)}
			</section>
		</>
	);
}

/** Over all modules; unknown where one of them is. */
function sumProgress(modules: readonly CourseModule[]) {
	const sum = { done: 0, lessons: 0 as number | null };
	for (const { done, lessons } of modules) {
		sum.done += done;
		sum.lessons = sum.lessons === null || lessons === null ? null : sum.lessons + lessons;
	}
	return sum;
}

type ResumePoint = NonNullable<CallOutputs['course']['list']['resume']>;

function ResumeCard({ moduleId, lessonId, name, moduleName }: ResumePoint) {
	return (
		<section className={classes.resume} aria-label={m.course_resume()}>
			<div className={classes.text}>
				<h2 className={classes.name}>
					<bdi>{name}</bdi>
				</h2>
				{moduleId !== lessonId && <p className={classes.note}>{moduleName}</p>}
			</div>
			<ButtonLink
				variant="primary"
				to={coursePath}
				search={courseSearchParams({ module: moduleId, lesson: lessonId })}
				state={lessonHistoryState}
				aria-label={m.course_go_on_with({ name })}
				icon={<IconPlayerPlay {...iconProps} />}
			>
				{m.course_go_on()}
			</ButtonLink>
		</section>
	);
}

function ModuleCard({ module }: { module: CourseModule }) {
	const { node, lessons, done, progress } = module;
	const isFile = node.kind === 'file';
	const label = isFile ? (positionLabel({ node, progress }) ?? m.course_single()) : progressLabel({ done, lessons });
	return (
		<Link
			to={coursePath}
			search={moduleSearchParams(node)}
			state={isFile ? lessonHistoryState : {}}
			data-course={node.id}
			className={classes.card}
		>
			<Center component="span" flex="none" w={36}>
				{isFile ? <FileIcon name={node.name} size={32} /> : <FolderIcon />}
			</Center>
			<span className={classes.text}>
				<span className={classes.name}>
					<bdi>{node.name}</bdi>
				</span>
				<span className={classes.note}>{label}</span>
				{!isFile && lessons !== null && lessons > 0 && (
					<ProgressBar label={m.course_progress_of({ name: node.name })} value={done / lessons} />
				)}
			</span>
			{isFile ? (
				<LessonStateIcon state={lessonStateOf(progress)} />
			) : (
				lessons !== null && lessons > 0 && done === lessons && <LessonStateIcon state="done" />
			)}
			<IconChevronRight {...iconProps} />
		</Link>
	);
}
