import { Flex } from '@mantine/core';
import type { ComponentProps, FormEvent, ReactNode } from 'react';
import { limits } from '#contract/core/limits.ts';
import { m } from '#messages';
import { PasswordField } from '#web/ui/forms/password-field.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { Notice } from '#web/ui/states/notice.tsx';

interface SignInFormProps {
	/** Error message of the last attempt, unless it is shown beside a field. */
	error?: string | undefined;
	isBusy: boolean;
	label: string;
	busyLabel: string;
	onSubmit: () => void;
	children: ReactNode;
	more?: ReactNode;
}

export function SignInForm({ error, isBusy, label, busyLabel, onSubmit, children, more }: SignInFormProps) {
	const submit = (event: FormEvent) => {
		event.preventDefault();
		onSubmit();
	};
	return (
		<Flex component="form" direction="column" gap={16} onSubmit={submit}>
			{error !== undefined && <Notice tone="negative">{error}</Notice>}
			{children}
			<Button type="submit" variant="primary" isFullWidth disabled={isBusy}>
				{isBusy ? busyLabel : label}
			</Button>
			{more}
		</Flex>
	);
}

export type PasswordProps = Omit<ComponentProps<typeof PasswordField>, 'onChange'> & {
	onChange: (password: string) => void;
};

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
