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

/** The messages are listed singly, because with computed keys the bundle would contain all messages of the app. */
export const fieldLabels: Record<CredentialField, () => string> = {
	username: m.credentials_username,
	state: m.credentials_state,
	id: m.credentials_id,
	password: m.credentials_password,
};

export const emptyCredential: Credential = { username: '', state: '', id: '', password: '' };

export function findEmptyFields(typed: Partial<Credential>): CredentialField[] {
	return credentialFields.filter((field) => typed[field]?.trim() === '');
}

export function missingFieldErrors(typed: Partial<Credential>): Record<string, string> {
	return Object.fromEntries(findEmptyFields(typed).map((field) => [field, m.error_field_required()]));
}

interface CredentialInputsProps<Typed extends Partial<Credential>> {
	typed: Typed;
	errors: Partial<Record<string, string>>;
	onChange: (typed: Typed) => void;
	/** Whether the first field has the focus when the dialog opens. */
	isFirstFocused?: boolean;
}

export function CredentialInputs<Typed extends Partial<Credential>>(props: CredentialInputsProps<Typed>) {
	const { typed, errors, onChange, isFirstFocused = false } = props;
	return credentialFields
		.filter((field) => typed[field] !== undefined)
		.map((field) => {
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
