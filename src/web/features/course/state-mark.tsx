import { IconCircle, IconCircleCheckFilled, IconCircleHalf2 } from '@tabler/icons-react';
import { iconProps } from '#web/ui/icon.ts';
import classes from './course.module.css';
import { type LessonState, stateWord } from './lesson-words.ts';

const icons = { done: IconCircleCheckFilled, begun: IconCircleHalf2, new: IconCircle } as const;

/** How a lesson stands, by a mark and in a word. */
export function StateMark({ state }: { state: LessonState }) {
	const Mark = icons[state];
	return (
		<span className={classes.state} data-state={state}>
			<Mark {...iconProps} />
			<span className={state === 'new' ? classes.hidden : undefined}>{stateWord(state)}</span>
		</span>
	);
}
