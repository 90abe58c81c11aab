import type { ChangeEventHandler } from 'react';
import classes from './selection-checkbox.module.css';

interface SelectionCheckboxProps {
	/** Accessible name of a checkbox without a text. */
	label?: string;
	text?: string;
	isChecked: boolean;
	/** Whether only some of several items are selected. */
	isPartial?: boolean;
	onChange: ChangeEventHandler<HTMLInputElement>;
}

/** Selects one item of a list, or all. */
export function SelectionCheckbox({ label, text, isChecked, isPartial = false, onChange }: SelectionCheckboxProps) {
	return (
		<label className={classes.target} data-alone={text === undefined || undefined}>
			<input
				type="checkbox"
				className={classes.checkbox}
				checked={isChecked}
				ref={(box) => {
					if (box !== null) box.indeterminate = isPartial;
				}}
				aria-label={label}
				onChange={onChange}
			/>
			{text}
		</label>
	);
}
