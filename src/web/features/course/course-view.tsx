import { IconChevronRight, IconPlayerPlay } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { CourseModule } from '#contract/course/course.ts';
import { m } from '#messages';
import { describeFailure } from '#web/platform/api/failure.ts';
import { FileIcon, FolderIcon } from '#web/ui/illustrations/file-icon.tsx';
import { Button, ButtonLink } from '#web/ui/primitives/button.tsx';
import { iconProps } from '#web/ui/primitives/icon.ts';
import { ProgressBar } from '#web/ui/primitives/progress-bar.tsx';
import { Skeleton } from '#web/ui/states/skeleton.tsx';
import { EmptyState, FailedState } from '#web/ui/states/states.tsx';
import classes from './course.module.css';
import { useCourse } from './course-api.ts';
import { coursePath, courseSearchParams, lessonHistoryState, moduleSearchParams } from './course-location.ts';
import { LessonStateIcon, lessonStateOf, positionLabel, progressLabel } from './lesson-state.tsx';

/** What is shared with the person as a course: where to go on, and the modules with what is done of each. */
export function CourseView() {
	const { data, error, refetch, isFetching, hasNextPage, fetchNextPage, isFetchingNextPage } = useCourse();
	if (data === undefined) {
		if (error === null) return <CourseSkeleton />;
		return (
			<FailedState
				text={m.shared_failed()}
				detail={describeFailure(error).message}
				onRetry={() => void refetch()}
				isRetrying={isFetching}
			/>
		);
	}
	const modules = data.pages.flatMap(({ items }) => items);
	const resume = data.pages[0]?.resume;
	if (modules.length === 0) return <EmptyState text={m.shared_none()} />;
	return (
		<>
			{resume && <ResumeCard {...resume} />}
			<section className={classes.modules} aria-labelledby="course-modules">
				<header className={classes.head}>
					<h2 id="course-modules">{m.course_modules()}</h2>
					{!hasNextPage && <span className={classes.note}>{progressLabel(sumProgress(modules))}</span>}
				</header>
				<ol className={classes.list}>
					{modules.map((module) => (
						<li key={module.node.id}>
							<ModuleCard module={module} />
						</li>
					))}
				</ol>
				{hasNextPage && (
					<Button onClick={() => void fetchNextPage()} disabled={isFetchingNextPage}>
						{m.course_more()}
					</Button>
				)}
			</section>
		</>
	);
}

/** Over all modules; unknown where one of them is. */
function sumProgress(modules: readonly CourseModule[]): { done: number; lessons: number | null } {
	let [done, lessons]: [number, number | null] = [0, 0];
	for (const module of modules) {
		done += module.done;
		lessons = lessons === null || module.lessons === null ? null : lessons + module.lessons;
	}
	return { done, lessons };
}

function ResumeCard({
	moduleId,
	lessonId,
	name,
	moduleName,
}: {
	moduleId: string;
	lessonId: string;
	name: string;
	moduleName: string;
}) {
	return (
		<section className={classes.resume} aria-label={m.course_resume()}>
			<div className={classes.resumeText}>
				<h2 className={classes.resumeName}>
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
			<span className={classes.icon}>{isFile ? <FileIcon name={node.name} size={32} /> : <FolderIcon />}</span>
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

function CourseSkeleton() {
	return (
		<div className={classes.skeleton} role="status" aria-label={m.common_loading()}>
			{['a', 'b', 'c', 'd'].map((key) => (
				<Skeleton key={key} height="84px" />
			))}
		</div>
	);
}
