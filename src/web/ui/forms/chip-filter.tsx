import classes from './chip-filter.module.css';

export interface Choice<T extends string> {
	value: T;
	label: string;
	count?: string | undefined;
}

interface ChipFilterProps<T extends string> {
	label: string;
	choices: readonly Choice<T>[];
	value: T;
	onChange: (value: T) => void;
}

export function ChipFilter<T extends string>({ label, choices, value, onChange }: ChipFilterProps<T>) {
	return (
		// biome-ignore lint/a11y/useSemanticElements: a fieldset cannot scroll sideways.
		<div role="group" aria-label={label} className={classes.chips}>
			{choices.map((choice) => (
				<button
					key={choice.value}
					type="button"
					className={classes.chip}
					aria-pressed={choice.value === value}
					onClick={() => onChange(choice.value)}
				>
					{choice.label}
					{choice.count !== undefined && <span className={classes.count}>{choice.count}</span>}
				</button>
			))}
		</div>
	);
}
