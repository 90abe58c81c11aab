import { m } from '#messages';
import { useMe } from '#web/platform/session.ts';
import { PasswordField } from '#web/ui/field.tsx';

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
