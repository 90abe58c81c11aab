import { Group } from '@mantine/core';
import { useId } from 'react';
import { m } from '#messages';
import { TextField } from '#web/ui/forms/field.tsx';
import classes from './fields.module.css';

interface ColorInputProps {
	/** Name of the colour; shown above the input unless `id` belongs to a label elsewhere. */
	label: string;
	id?: string;
	'aria-describedby'?: string | undefined;
	/** `#1f3a5f`; '' for the default colour. */
	value: string;
	/** Shown while the value is ''. */
	defaultColor?: string;
	error?: string | undefined;
	onChange: (color: string) => void;
}

/** A colour that is chosen from the browser's palette or typed. */
export function ColorInput({ label, id, value, defaultColor = '', error, onChange, ...rest }: ColorInputProps) {
	const ownId = useId();
	const shown = /^#[0-9a-f]{6}$/u.test(value) ? value : defaultColor;
	return (
		<TextField
			id={id ?? ownId}
			label={id === undefined ? label : undefined}
			{...rest}
			autoComplete="off"
			spellCheck={false}
			value={value}
			placeholder={defaultColor}
			error={error}
			onChange={({ currentTarget }) => onChange(currentTarget.value.trim().toLowerCase())}
			leftSection={
				<Group>
					<input
						type="color"
						aria-label={m.editor_color_palette({ name: label })}
						className={classes.swatch}
						value={shown || '#000000'}
						onChange={({ currentTarget }) => onChange(currentTarget.value)}
					/>
				</Group>
			}
		/>
	);
}
