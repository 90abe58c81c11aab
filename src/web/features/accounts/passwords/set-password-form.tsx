import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { m } from '#messages';
import { client } from '#web/platform/api/client.ts';
import { useChange } from '#web/platform/api/use-change.ts';
import { NewPasswordField, SignInForm } from '../sign-in/sign-in-form.tsx';

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
