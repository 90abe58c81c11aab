import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { limits } from '#contract/core/limits.ts';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { describeFailure } from '#web/platform/api/failure.ts';
import { PasswordField } from '#web/ui/forms/field.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { Notice } from '#web/ui/states/notice.tsx';
import classes from '../sign-in/sign-in-form.module.css';

interface SetPasswordFormProps {
	/** From the mailed link; used up by a successful submission only. */
	token: string;
	/** The link turned out to be used or expired. */
	onLinkInvalid: () => void;
}

/** Sets one's own password by a mailed link, then leads to the sign-in. */
export function SetPasswordForm({ token, onLinkInvalid }: SetPasswordFormProps) {
	const navigate = useNavigate();
	const [password, setPassword] = useState('');
	const save = useMutation(
		api.account.setPassword.mutationOptions({
			onSuccess: () => void navigate({ to: '/login', search: { reason: 'password-set' }, replace: true }),
			onError: (error) => {
				if (describeFailure(error).code === 'LINK_INVALID') onLinkInvalid();
			},
		}),
	);
	const failure = save.isError ? describeFailure(save.error) : undefined;
	const fieldError = failure?.fields.password ?? (failure?.code === 'WEAK_PASSWORD' ? failure.message : undefined);

	const submit = (event: FormEvent) => {
		event.preventDefault();
		save.mutate({ token, password });
	};

	return (
		<form className={classes.form} onSubmit={submit}>
			{failure !== undefined && fieldError === undefined && <Notice tone="negative">{failure.message}</Notice>}
			<PasswordField
				label={m.account_new_password()}
				description={m.account_password_hint({ count: limits.passwordMinLength })}
				name="password"
				autoComplete="new-password"
				required
				withAsterisk={false}
				autoFocus
				value={password}
				error={fieldError}
				onChange={(event) => setPassword(event.currentTarget.value)}
			/>
			<Button type="submit" variant="primary" isFullWidth disabled={save.isPending}>
				{save.isPending ? m.account_saving() : m.account_save_password()}
			</Button>
		</form>
	);
}
