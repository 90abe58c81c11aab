import * as z from 'zod';
import {
	type Credential,
	type CredentialField,
	credentialFields,
	lookupFilter,
} from '#contract/credentials/credentials.ts';
import { m } from '#messages';
import { PasswordField, TextField } from '#web/ui/forms/field.tsx';
import { CopyButton } from '#web/ui/primitives/copy-button.tsx';

/** The search parameters of /admin/credentials. */
export const credentialsSearch = z.object({
	view: z.enum(['credentials', 'lookups']).default('credentials'),
	username: z.string().default(''),
	state: z.string().default(''),
	filter: lookupFilter.default('all'),
});
export type CredentialsSearch = z.infer<typeof credentialsSearch>;

/** The messages are named one by one: with a computed key, the bundle would contain all messages. */
export const fieldLabels: Record<CredentialField, () => string> = {
	username: m.credentials_username,
	state: m.credentials_state,
	id: m.credentials_id,
	password: m.credentials_password,
};

export const emptyCredential: Credential = { username: '', state: '', id: '', password: '' };

export function findEmptyFields(typed: Credential): CredentialField[] {
	return credentialFields.filter((field) => typed[field].trim() === '');
}

interface CredentialInputsProps {
	typed: Credential;
	errors: Partial<Record<string, string>>;
	onChange: (typed: Credential) => void;
	/** Whether the first field takes the focus when its dialog opens. */
	isFirstFocused?: boolean;
}

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
