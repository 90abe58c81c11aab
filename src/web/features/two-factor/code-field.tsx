import type { TextInputProps } from '@mantine/core';
import type { Ref } from 'react';
import { TextField } from '#web/ui/field.tsx';

interface CodeFieldProps {
	label: string;
	description?: string;
	value: string;
	onChange: (value: string) => void;
	error: string | undefined;
	/** Recovery codes have letters: no keyboard of digits then. */
	isDigitsOnly?: boolean;
	autoFocus?: boolean;
	ref?: Ref<HTMLInputElement>;
}

/** A code to be typed, pasted, or filled in by the phone. */
export function CodeField({ value, onChange, isDigitsOnly = false, ...rest }: CodeFieldProps) {
	const keyboard: Pick<TextInputProps, 'inputMode'> = isDigitsOnly ? { inputMode: 'numeric' } : {};
	return (
		<TextField
			name="code"
			autoComplete="one-time-code"
			autoCapitalize="characters"
			autoCorrect="off"
			spellCheck={false}
			required
			withAsterisk={false}
			value={value}
			onChange={(event) => onChange(event.currentTarget.value)}
			{...keyboard}
			{...rest}
		/>
	);
}
