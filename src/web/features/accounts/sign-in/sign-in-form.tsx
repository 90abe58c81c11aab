import type { ComponentProps, FormEvent, ReactNode } from 'react';
import { limits } from '#contract/core/limits.ts';
import { m } from '#messages';
import { PasswordField } from '#web/ui/forms/field.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { Notice } from '#web/ui/states/notice.tsx';
import classes from './sign-in-form.module.css';

interface SignInFormProps {
	/** Why the last try was refused, if that is not said beside a field. */
	error?: string | undefined;
	isBusy: boolean;
	/** Label of the button, and the one while it is busy. */
	label: string;
	busyLabel: string;
	onSubmit: () => void;
	children: ReactNode;
	/** Further buttons. */
	more?: ReactNode;
}

/** A form in one column with a button of full width, before the sign-in and to sign in again. */
export function SignInForm({ error, isBusy, label, busyLabel, onSubmit, children, more }: SignInFormProps) {
	const submit = (event: FormEvent) => {
		event.preventDefault();
		onSubmit();
	};
	return (
		<form className={classes.form} onSubmit={submit}>
			{error !== undefined && <Notice tone="negative">{error}</Notice>}
			{children}
			<Button type="submit" variant="primary" isFullWidth disabled={isBusy}>
				{isBusy ? busyLabel : label}
			</Button>
			{more}
		</form>
	);
}

type PasswordProps = Omit<ComponentProps<typeof PasswordField>, 'onChange'> & { onChange: (password: string) => void };

/** The password that the account has. */
export function CurrentPasswordField({ onChange, ...rest }: PasswordProps) {
	return (
		<PasswordField
			label={m.account_password()}
			name="password"
			autoComplete="current-password"
			required
			withAsterisk={false}
			onChange={({ currentTarget }) => onChange(currentTarget.value)}
			{...rest}
		/>
	);
}

/** A password that the account is to have, with what it must be like. */
export function NewPasswordField({ onChange, ...rest }: PasswordProps) {
	return (
		<PasswordField
			label={m.account_new_password()}
			description={m.account_password_hint({ count: limits.passwordMinLength })}
			name="new-password"
			autoComplete="new-password"
			required
			withAsterisk={false}
			onChange={({ currentTarget }) => onChange(currentTarget.value)}
			{...rest}
		/>
	);
}
