import type { LessonProgress } from '#contract/course/course.ts';
import type { Node } from '#contract/files/files.ts';
import type { LessonPlace } from './progress-keeper.ts';

/** What a reader or player of a lesson is given. */
export interface OpenLessonProps {
	node: Node;
	/** Where it was left. */
	start: LessonProgress | null;
	/** Hears where the person is. The same function for as long as the lesson is open. */
	onPlace: (place: LessonPlace) => void;
	/** The end is reached, or a film or recording stands still: what was noted is to be kept now. */
	onRest: () => void;
}
