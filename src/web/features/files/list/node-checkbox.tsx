import { m } from '#messages';
import type { NodeActions } from '../actions/node-menu.tsx';
import classes from './node-checkbox.module.css';

interface NodeCheckboxProps {
	name: string;
	index: number;
	isSelected: boolean;
	actions: NodeActions;
}

/** All, some or none of the entries. */
export type SelectionState = 'all' | 'some' | 'none';

interface SelectAllCheckboxProps {
	selected: SelectionState;
	onSelectAll: (isAll: boolean) => void;
	/** What the label that says it refers to; without one, the box says it itself. */
	id?: string;
	isDisabled?: boolean;
}

/** Takes all entries into the selection, or none. */
export function SelectAllCheckbox({ selected, onSelectAll, id, isDisabled = false }: SelectAllCheckboxProps) {
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
export function NodeCheckbox({ name, index, isSelected, actions }: NodeCheckboxProps) {
	return (
		<input
			type="checkbox"
			className={classes.box}
			tabIndex={-1}
			checked={isSelected}
			aria-label={m.files_select_of({ name })}
			onChange={({ nativeEvent }) => actions.select(index, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
		/>
	);
}
