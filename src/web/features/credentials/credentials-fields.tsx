import { type Credential, type CredentialField, credentialFields } from '#contract/credentials/credentials.ts';
import { m } from '#messages';
import { PasswordField, TextField } from '#web/ui/forms/field.tsx';
import { CopyButton } from '#web/ui/primitives/copy-button.tsx';

/** Named one by one, so that a page carries only the messages that it shows. */
export const fieldLabels: Record<CredentialField, () => string> = {
	username: m.credentials_username,
	state: m.credentials_state,
	id: m.credentials_id,
	password: m.credentials_password,
};

export const emptyCredential: Credential = { username: '', state: '', id: '', password: '' };

/** Which fields are still to be filled in. */
export function findEmptyFields(typed: Credential): CredentialField[] {
	return credentialFields.filter((field) => typed[field].trim() === '');
}

interface CredentialInputsProps {
	typed: Credential;
	errors: Partial<Record<string, string>>;
	onChange: (typed: Credential) => void;
	/** Takes the focus when a dialog opens. */
	isFirstFocused?: boolean;
}

/** The four fields of a record. */
export function CredentialInputs({ typed, errors, onChange, isFirstFocused = false }: CredentialInputsProps) {
	return credentialFields.map((field) => {
		const common = {
			label: fieldLabels[field](),
			autoComplete: field === 'password' ? 'new-password' : 'off',
			spellCheck: false,
			value: typed[field],
			error: errors[field],
			onChange: (event: { currentTarget: { value: string } }) =>
				onChange({ ...typed, [field]: event.currentTarget.value }),
			...(isFirstFocused && field === 'username' && { 'data-autofocus': true }),
		};
		return field === 'password' ? (
			<PasswordField key={field} name="credential-password" {...common} />
		) : (
			<TextField key={field} name={`credential-${field}`} autoCapitalize="none" {...common} />
		);
	});
}

interface CopyFieldButtonProps {
	field: CredentialField;
	value: string;
	size?: 'small' | 'medium';
}

/** Copies one field of a record. */
export function CopyFieldButton({ field, value, size = 'medium' }: CopyFieldButtonProps) {
	const name = { field: fieldLabels[field]() };
	return (
		<CopyButton
			size={size}
			text={value}
			label={m.credentials_copy(name)}
			copied={m.credentials_copied(name)}
			failed={m.credentials_copy_failed()}
		/>
	);
}
