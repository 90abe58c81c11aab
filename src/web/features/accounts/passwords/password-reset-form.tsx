import { useState } from 'react';
import { m } from '#messages';
import { client } from '#web/platform/api/client.ts';
import { shownInForm, useChange } from '#web/platform/api/use-change.ts';
import { Notice } from '#web/ui/states/notice.tsx';
import { EmailField } from '../sign-in/login-form.tsx';
import { SignInForm } from '../sign-in/sign-in-form.tsx';

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
