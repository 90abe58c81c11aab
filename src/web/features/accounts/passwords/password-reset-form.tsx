import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { describeFailure } from '#web/platform/api/failure.ts';
import { Button } from '#web/ui/primitives/button.tsx';
import { Notice } from '#web/ui/states/notice.tsx';
import { EmailField } from '../sign-in/login-form.tsx';
import classes from '../sign-in/sign-in-form.module.css';

/** Asks for a mail with a link. The answer is the same whether or not the address has an account. */
export function PasswordResetForm() {
	const [email, setEmail] = useState('');
	const request = useMutation(api.account.requestReset.mutationOptions());
	const failure = request.isError ? describeFailure(request.error) : undefined;

	const submit = (event: FormEvent) => {
		event.preventDefault();
		request.mutate({ email });
	};

	return (
		<form className={classes.form} onSubmit={submit}>
			{request.isSuccess && <Notice tone="positive">{m.account_reset_sent()}</Notice>}
			{failure !== undefined && <Notice tone="negative">{failure.message}</Notice>}
			<EmailField value={email} error={failure?.fields.email} onChange={setEmail} />
			<Button type="submit" variant="primary" isFullWidth disabled={request.isPending}>
				{request.isPending ? m.account_reset_sending() : m.account_reset_send()}
			</Button>
		</form>
	);
}
