import { m } from '#messages';
import { useMe } from '#web/platform/session/session.ts';
import { TextField } from '#web/ui/forms/field.tsx';
import { CurrentPasswordField, type PasswordProps } from '../sign-in/sign-in-form.tsx';

interface CodeFieldProps {
	label: string;
	description?: string;
	value: string;
	onChange: (value: string) => void;
	error: string | undefined;
	/** Shows a numeric keyboard on phones. Must be false if recovery codes are accepted, because they contain letters. */
	isDigitsOnly?: boolean;
	autoFocus?: boolean;
}

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

/** Focused when its dialog opens. The hidden field tells password managers which account the password belongs to. */
export function OwnPasswordField(props: PasswordProps) {
	const { email } = useMe();
	return (
		<>
			<input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
			<CurrentPasswordField label={m.two_factor_password()} required={false} data-autofocus {...props} />
		</>
	);
}
