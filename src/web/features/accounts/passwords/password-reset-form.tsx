import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { describeFailure } from '#web/platform/api/failure.ts';
import { Notice } from '#web/ui/states/notice.tsx';
import { EmailField } from '../sign-in/login-form.tsx';
import { SignInForm } from '../sign-in/sign-in-form.tsx';

/** Asks for a mail with a link. The answer is the same whether or not the address has an account. */
export function PasswordResetForm() {
	const [email, setEmail] = useState('');
	const request = useMutation(api.account.requestReset.mutationOptions());
	const failure = request.isError ? describeFailure(request.error) : undefined;
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
