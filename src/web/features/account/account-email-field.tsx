import { m } from '#messages';
import { TextField } from '#web/ui/field.tsx';

interface EmailFieldProps {
	value: string;
	error: string | undefined;
	onChange: (email: string) => void;
}

/** The address one signs in with, focused when its form appears. */
export function EmailField({ value, error, onChange }: EmailFieldProps) {
	return (
		<TextField
			label={m.account_email()}
			type="email"
			name="email"
			autoComplete="username"
			required
			withAsterisk={false}
			autoFocus
			value={value}
			error={error}
			onChange={(event) => onChange(event.currentTarget.value)}
		/>
	);
}
