import { m } from '#messages';
import { useMe } from '#web/platform/session/session.ts';
import { TextField } from '#web/ui/forms/field.tsx';
import { CurrentPasswordField } from '../sign-in/sign-in-form.tsx';

interface CodeFieldProps {
	label: string;
	description?: string;
	value: string;
	onChange: (value: string) => void;
	error: string | undefined;
	/** Recovery codes have letters: no keyboard of digits then. */
	isDigitsOnly?: boolean;
	autoFocus?: boolean;
}

/** A code to be typed, pasted, or filled in by the phone. */
export function CodeField({ value, onChange, isDigitsOnly = false, ...rest }: CodeFieldProps) {
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
			inputMode={isDigitsOnly ? 'numeric' : 'text'}
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
			<CurrentPasswordField
				label={m.two_factor_password()}
				required={false}
				data-autofocus
				value={value}
				error={error}
				onChange={onChange}
			/>
		</>
	);
}
