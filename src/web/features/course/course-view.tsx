import { IconChevronRight, IconPlayerPlay } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { CourseModule } from '#contract/course/course.ts';
import { m } from '#messages';
import { describeFailure } from '#web/platform/failure.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { EmptyState, FailedState } from '#web/ui/faces.tsx';
import { FileIcon, FolderIcon } from '#web/ui/file-icon.tsx';
import { iconProps } from '#web/ui/icon.ts';
import { ProgressBar } from '#web/ui/progress-bar.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { useCourse } from './course.api.ts';
import classes from './course.module.css';
import { coursePath, lessonStep, searchOfCourse, searchOfModule } from './course-place.ts';
import { countWords, placeWords, stateOf } from './lesson-words.ts';
import { StateMark } from './state-mark.tsx';

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
			{resume && <Resume {...resume} />}
			<section className={classes.modules} aria-labelledby="course-modules">
				<header className={classes.head}>
					<h2 id="course-modules">{m.course_modules()}</h2>
					{!hasNextPage && <span className={classes.note}>{countWords(sumOf(modules))}</span>}
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
function sumOf(modules: readonly CourseModule[]): { done: number; lessons: number | null } {
	let [done, lessons]: [number, number | null] = [0, 0];
	for (const module of modules) {
		done += module.done;
		lessons = lessons === null || module.lessons === null ? null : lessons + module.lessons;
	}
	return { done, lessons };
}

function Resume({
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
			<div className={classes.resumeWords}>
				<h2 className={classes.resumeName}>
					<bdi>{name}</bdi>
				</h2>
				{moduleId !== lessonId && <p className={classes.note}>{moduleName}</p>}
			</div>
			<ButtonLink
				variant="primary"
				to={coursePath}
				search={searchOfCourse({ module: moduleId, lesson: lessonId })}
				state={lessonStep}
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
	const words = isFile ? (placeWords({ node, progress }) ?? m.course_single()) : countWords({ done, lessons });
	return (
		<Link
			to={coursePath}
			search={searchOfModule(node)}
			state={isFile ? lessonStep : {}}
			data-course={node.id}
			className={classes.card}
		>
			<span className={classes.icon}>{isFile ? <FileIcon name={node.name} size={32} /> : <FolderIcon />}</span>
			<span className={classes.words}>
				<span className={classes.name}>
					<bdi>{node.name}</bdi>
				</span>
				<span className={classes.note}>{words}</span>
				{!isFile && lessons !== null && lessons > 0 && (
					<ProgressBar label={m.course_progress_of({ name: node.name })} value={done / lessons} />
				)}
			</span>
			{isFile ? (
				<StateMark state={stateOf(progress)} />
			) : (
				lessons !== null && lessons > 0 && done === lessons && <StateMark state="done" />
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
