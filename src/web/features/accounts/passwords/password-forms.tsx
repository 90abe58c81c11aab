import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { m } from '#messages';
import { client } from '#web/platform/api/client.ts';
import { shownInForm, useChange } from '#web/platform/api/use-change.ts';
import { Notice } from '#web/ui/states/notice.tsx';
import { EmailField } from '../sign-in/login-form.tsx';
import { NewPasswordField, SignInForm } from '../sign-in/sign-in-form.tsx';

/** Requests a mail with a reset link. The response does not reveal whether the email has an account. */
export function PasswordResetForm() {
	const [email, setEmail] = useState('');
	const request = useChange(client.account.requestReset, { onError: shownInForm });
	const { failure } = request;
	return (
		<SignInForm
			error={failure?.message}
			isBusy={request.isPending}
			label={m.account_reset_send()}
			busyLabel={m.account_reset_sending()}
			onSubmit={() => request.mutate({ email })}
		>
			{request.isSuccess && <Notice tone="positive">{m.account_reset_sent()}</Notice>}
			<EmailField value={email} error={failure?.fields.email} onChange={setEmail} />
		</SignInForm>
	);
}

export function SetPasswordForm({ token, onLinkInvalid }: { token: string; onLinkInvalid: () => void }) {
	const navigate = useNavigate();
	const [password, setPassword] = useState('');
	const save = useChange(client.account.setPassword, {
		onSuccess: () => void navigate({ to: '/login', search: { reason: 'password-set' }, replace: true }),
		onError: ({ code }) => {
			if (code === 'LINK_INVALID') onLinkInvalid();
		},
	});
	const { failure } = save;
	const fieldError = failure?.fields.password;
	return (
		<SignInForm
			error={fieldError === undefined ? failure?.message : undefined}
			isBusy={save.isPending}
			label={m.account_save_password()}
			busyLabel={m.account_saving()}
			onSubmit={() => save.mutate({ token, password })}
		>
			<NewPasswordField name="password" autoFocus value={password} error={fieldError} onChange={setPassword} />
		</SignInForm>
	);
}
