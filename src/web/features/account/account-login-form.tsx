import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useRef, useState } from 'react';
import { m } from '#messages';
import { describeFailure } from '#web/platform/failure.ts';
import { Button } from '#web/ui/button.tsx';
import { PasswordField } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { useSignIn } from './account.api.ts';
import { CodeForm, useCodeStep } from './account-code-form.tsx';
import { EmailField } from './account-email-field.tsx';
import classes from './account-form.module.css';
import { afterSignIn } from './account-home.ts';

interface LoginFormProps {
	/** Where an expired session was. */
	back: string | undefined;
}

/** Email and password, and a code where the server wants one; what the server refuses stands above the fields, and what was typed stays. */
export function LoginForm({ back }: LoginFormProps) {
	const navigate = useNavigate();
	const signIn = useSignIn();
	const [email, setEmail] = useState('');
	const [password, setPassword] = useState('');
	const codeStep = useCodeStep();
	const passwordInput = useRef<HTMLInputElement>(null);
	const failure = signIn.isError ? describeFailure(signIn.error) : undefined;
	const { email: emailError, password: passwordError } = failure?.fields ?? {};

	const send = (code?: string) =>
		signIn.mutate(
			{ email, password, ...(code !== undefined && { code }) },
			{
				onSuccess: (me) => void navigate({ href: afterSignIn(me.role, back), replace: true }),
				onError: (error) => {
					codeStep.hearRefusal(error);
					passwordInput.current?.select();
				},
			},
		);
	const submit = (event: FormEvent) => {
		event.preventDefault();
		send();
	};
	if (codeStep.isWanted) return <CodeForm email={email} signIn={signIn} onSubmit={send} onBack={codeStep.leave} />;

	return (
		<form className={classes.form} onSubmit={submit}>
			{failure !== undefined && <Notice tone="negative">{failure.message}</Notice>}
			<EmailField value={email} error={emailError} onChange={setEmail} />
			<PasswordField
				ref={passwordInput}
				label={m.account_password()}
				name="password"
				autoComplete="current-password"
				required
				withAsterisk={false}
				value={password}
				error={passwordError}
				onChange={(event) => setPassword(event.currentTarget.value)}
			/>
			<Button type="submit" variant="primary" isFullWidth disabled={signIn.isPending}>
				{signIn.isPending ? m.account_logging_in() : m.account_login()}
			</Button>
		</form>
	);
}
