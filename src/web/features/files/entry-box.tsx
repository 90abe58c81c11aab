import { m } from '#messages';
import classes from './entry-box.module.css';
import type { NodeActions } from './node-actions.ts';

interface EntryBoxProps {
	name: string;
	index: number;
	isSelected: boolean;
	actions: NodeActions;
}

/** Takes an entry into the selection. */
export function EntryBox({ name, index, isSelected, actions }: EntryBoxProps) {
	return (
		<input
			type="checkbox"
			className={classes.box}
			tabIndex={-1}
			checked={isSelected}
			aria-label={m.files_select_of({ name })}
			onChange={({ nativeEvent }) => actions.choose(index, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
		/>
	);
}
