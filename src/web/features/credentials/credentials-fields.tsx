import { type FormEvent, useState } from 'react';
import {
	type Credential,
	type CredentialField,
	credentialFields,
	lookupFilters,
} from '#contract/credentials/credentials.ts';
import { m } from '#messages';
import type { Failure } from '#web/platform/api/failure.ts';
import { oneOf, orElse, stateOf, text } from '#web/platform/browser/readers.ts';
import { TextField } from '#web/ui/forms/field.tsx';
import { PasswordField } from '#web/ui/forms/password-field.tsx';
import { CopyButton } from '#web/ui/primitives/copy-button.tsx';

/** The search parameters of /admin/credentials. */
export const credentialsSearch = stateOf({
	view: orElse(oneOf(['credentials', 'lookups']), 'credentials'),
	username: orElse(text(), ''),
	state: orElse(text(), ''),
	filter: orElse(oneOf(lookupFilters), 'all'),
});
export type CredentialsSearch = ReturnType<typeof credentialsSearch>;

/** The messages are listed singly, because with computed keys the bundle would contain all messages of the app. */
export const fieldLabels: Record<CredentialField, () => string> = {
	username: m.credentials_username,
	state: m.credentials_state,
	id: m.credentials_id,
	password: m.credentials_password,
};

export const emptyCredential: Credential = { username: '', state: '', id: '', password: '' };

/** The state of a form that calls `send` only when no field is empty, and otherwise shows which fields are. */
export function useCredentialForm<Typed extends Partial<Credential>>(
	initial: Typed,
	{ failure, reset }: { failure: Failure | undefined; reset: () => void },
	send: (typed: Typed) => void,
) {
	const [typed, setTyped] = useState(initial);
	const [isIncomplete, setIncomplete] = useState(false);
	const emptyFields = credentialFields.filter((field) => typed[field]?.trim() === '');
	const missing = Object.fromEntries(emptyFields.map((field) => [field, m.error_field_required()]));
	const submit = (event: FormEvent) => {
		event.preventDefault();
		setIncomplete(emptyFields.length > 0);
		if (emptyFields.length > 0) reset();
		else send(typed);
	};
	return { typed, setTyped, isIncomplete, errors: { ...(isIncomplete && missing), ...failure?.fields }, submit };
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
