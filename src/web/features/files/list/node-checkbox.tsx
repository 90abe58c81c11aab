import { m } from '#messages';
import type { NodeActions } from '../actions/node-menu.tsx';
import classes from './node-checkbox.module.css';

interface NodeCheckboxProps {
	name: string;
	index: number;
	isSelected: boolean;
	actions: NodeActions;
}

/** Whether all, some or none of the nodes are selected. */
export type SelectionState = 'all' | 'some' | 'none';

interface SelectAllCheckboxProps {
	selected: SelectionState;
	onSelectAll: (isAll: boolean) => void;
	/** Id that a separate label refers to; without it, the checkbox has an `aria-label`. */
	id?: string;
	isDisabled?: boolean;
}

/** Selects all nodes, or none. */
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

/** Selects a node. */
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
