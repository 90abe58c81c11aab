import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { describeFailure } from '#web/platform/api/failure.ts';
import { NewPasswordField, SignInForm } from '../sign-in/sign-in-form.tsx';

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
