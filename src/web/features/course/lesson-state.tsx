import { IconCircle, IconCircleCheckFilled, IconCircleHalf2 } from '@tabler/icons-react';
import type { Lesson, LessonProgress } from '#contract/course/course.ts';
import { m } from '#messages';
import { formatCount } from '#web/platform/formats/format.ts';
import { ButtonLink } from '#web/ui/primitives/button.tsx';
import { iconProps } from '#web/ui/primitives/icon.ts';
import textClasses from '#web/ui/primitives/text.module.css';
import { DeniedState } from '#web/ui/states/states.tsx';
import classes from './course.module.css';
import { coursePath } from './course-api.ts';

const states = {
	done: { Icon: IconCircleCheckFilled, label: m.course_done },
	begun: { Icon: IconCircleHalf2, label: m.course_begun },
	new: { Icon: IconCircle, label: m.course_new },
};

/** Shows whether a lesson or module is done, begun or new. `progress`: null for a new lesson. */
export function ProgressState({ progress }: { progress: Pick<LessonProgress, 'isDone'> | null }) {
	const state = progress === null ? 'new' : progress.isDone ? 'done' : 'begun';
	const { Icon, label } = states[state];
	return (
		<span className={classes.state} data-state={state}>
			<Icon {...iconProps} />
			<span className={state === 'new' ? textClasses.hidden : undefined}>{label()}</span>
		</span>
	);
}

/** Formats seconds as `1:10` or `1:02:03`. */
function formatSeconds(seconds: number): string {
	const wholeSeconds = Math.max(0, Math.floor(seconds));
	const [hours, minutes] = [Math.floor(wholeSeconds / 3600), Math.floor(wholeSeconds / 60) % 60];
	const twoDigits = (part: number) => String(part).padStart(2, '0');
	return hours > 0
		? `${hours}:${twoDigits(minutes)}:${twoDigits(wholeSeconds % 60)}`
		: `${minutes}:${twoDigits(wholeSeconds % 60)}`;
}

/** Shown instead of a module or lesson that is no longer shared. */
export function CourseContentGone({ title, replace = false }: { title: string; replace?: boolean }) {
	return (
		<DeniedState
			title={title}
			text={m.shared_gone_text()}
			action={
				<ButtonLink variant="primary" to={coursePath} replace={replace}>
					{m.course_back()}
				</ButtonLink>
			}
		/>
	);
}

/** Returns null for a lesson that has no positions or was never opened. */
export function positionLabel({ node, progress }: Pick<Lesson, 'node' | 'progress'>): string | null {
	if (progress === null || progress.total === 0) return null;
	const { position, total } = progress;
	if (node.preview === 'pdf') return m.reader_page_of({ page: position, count: total });
	if (node.preview === 'video' || node.preview === 'audio')
		return m.course_time_of({ time: formatSeconds(position), total: formatSeconds(total) });
	return null;
}

/** `lessons` is null if there are more lessons than the server counts. */
export function progressLabel({ done, lessons }: { done: number; lessons: number | null }): string {
	if (lessons === null)
		return done === 1 ? m.course_done_of_many_one() : m.course_done_of_many({ done: formatCount(done) });
	if (lessons === 0) return m.course_no_lessons();
	if (lessons === 1) return m.course_done_of_one({ done: formatCount(done) });
	return m.course_done_of({ done: formatCount(done), lessons: formatCount(lessons) });
}
