import { m } from '#messages';
import classes from './entry-box.module.css';
import type { NodeActions } from './node-actions.ts';

interface EntryBoxProps {
	name: string;
	index: number;
	isSelected: boolean;
	actions: NodeActions;
}

/** All, some or none of the entries. */
export type SelectedShare = 'all' | 'some' | 'none';

interface AllBoxProps {
	selected: SelectedShare;
	onSelectAll: (isAll: boolean) => void;
	/** What the label that says it refers to; without one, the box says it itself. */
	id?: string;
	isDisabled?: boolean;
}

/** Takes all entries into the selection, or none. */
export function AllBox({ selected, onSelectAll, id, isDisabled = false }: AllBoxProps) {
	return (
		<input
			type="checkbox"
			className={classes.box}
			id={id}
			aria-label={id === undefined ? m.files_select_all() : undefined}
			checked={selected === 'all'}
			disabled={isDisabled}
			ref={(box) => {
				if (box) box.indeterminate = selected === 'some';
			}}
			onChange={() => onSelectAll(selected !== 'all')}
		/>
	);
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
