import type { TextInputProps } from '@mantine/core';
import type { Ref } from 'react';
import { m } from '#messages';
import { useMe } from '#web/platform/session/session.ts';
import { PasswordField, TextField } from '#web/ui/forms/field.tsx';

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

interface OwnPasswordFieldProps {
	value: string;
	error: string | undefined;
	onChange: (password: string) => void;
}

/** The own password as a proof, focused when its dialog opens; password managers are told whose it is. */
export function OwnPasswordField({ value, error, onChange }: OwnPasswordFieldProps) {
	const { email } = useMe();
	return (
		<>
			<input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
			<PasswordField
				label={m.two_factor_password()}
				name="password"
				autoComplete="current-password"
				data-autofocus
				value={value}
				error={error}
				onChange={(event) => onChange(event.currentTarget.value)}
			/>
		</>
	);
}
