import { Box, Center, Flex } from '@mantine/core';
import { IconChevronRight, IconPlayerPlay } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { CourseModule } from '#contract/course/course.ts';
import { m } from '#messages';
import { api, type CallOutputs, cursorPaging } from '#web/platform/api/client.ts';
import { FileIcon, FolderIcon } from '#web/ui/illustrations/file-icon.tsx';
import { Button, ButtonLink } from '#web/ui/primitives/button.tsx';
import { iconProps } from '#web/ui/primitives/icon.ts';
import { ProgressBar } from '#web/ui/primitives/progress-bar.tsx';
import { SkeletonLines } from '#web/ui/states/skeleton.tsx';
import { EmptyState, FailedQuery } from '#web/ui/states/states.tsx';
import classes from './course.module.css';
import { lessonLink, moduleLink } from './course-api.ts';
import { ProgressState, positionLabel, progressLabel } from './lesson-state.tsx';

/** Lists the folders and files shared with the user. Each of them is a module. */
export function CourseView() {
	// Refetched each time the course opens, because the user may have continued a lesson on another device.
	const course = useInfiniteQuery({
		...api.course.list.infiniteOptions({ input: (cursor) => ({ cursor, limit: 50 }), ...cursorPaging }),
		staleTime: 0,
	});
	const { data, hasNextPage } = course;
	if (data === undefined) {
		if (course.error !== null) return <FailedQuery text={m.shared_failed()} query={course} />;
		return (
			<Box maw={860}>
				<SkeletonLines label={m.common_loading()} count={4} height="84px" />
			</Box>
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
				<Flex component="ol" direction="column" gap={10} w="100%">
					{modules.map((module) => (
						<li key={module.node.id}>
							<ModuleCard module={module} />
						</li>
					))}
				</Flex>
				{hasNextPage && (
					<Button onClick={() => void course.fetchNextPage()} disabled={course.isFetchingNextPage}>
						{m.course_more()}
					</Button>
				)}
			</section>
		</>
	);
}

/** `lessons` is null if the number of lessons of any module is unknown. */
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
				{...lessonLink(moduleId, lessonId)}
				aria-label={m.course_go_on_with({ name })}
				icon={IconPlayerPlay}
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
		<Link {...moduleLink(node)} data-course={node.id} className={classes.card}>
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
				<ProgressState progress={progress} />
			) : (
				lessons !== null && lessons > 0 && done === lessons && <ProgressState progress={{ isDone: true }} />
			)}
			<IconChevronRight {...iconProps} />
		</Link>
	);
}
