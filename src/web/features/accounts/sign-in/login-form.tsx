import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useRef, useState } from 'react';
import { m } from '#messages';
import { describeFailure } from '#web/platform/api/failure.ts';
import { PasswordField, TextField } from '#web/ui/forms/field.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { Notice } from '#web/ui/states/notice.tsx';
import { pathAfterSignIn } from './home-path.ts';
import { useSignIn } from './sign-in-api.ts';
import { SignInCodeForm, useCodeStep } from './sign-in-code-form.tsx';
import classes from './sign-in-form.module.css';

interface LoginFormProps {
	/** Where an expired session was. */
	returnPath: string | undefined;
}

/**
 * Email and password, and a code if the server asks for one; errors are shown above the fields, and what was typed
 * stays.
 */
export function LoginForm({ returnPath }: LoginFormProps) {
	const navigate = useNavigate();
	const signIn = useSignIn();
	const [email, setEmail] = useState('');
	const [password, setPassword] = useState('');
	const codeStep = useCodeStep();
	const passwordInput = useRef<HTMLInputElement>(null);
	const failure = signIn.isError ? describeFailure(signIn.error) : undefined;
	const { email: emailError, password: passwordError } = failure?.fields ?? {};

	const signInWithCode = (code?: string) =>
		signIn.mutate(
			{ email, password, ...(code !== undefined && { code }) },
			{
				onSuccess: (me) => void navigate({ href: pathAfterSignIn(me.role, returnPath), replace: true }),
				onError: (error) => {
					codeStep.hearRefusal(error);
					passwordInput.current?.select();
				},
			},
		);
	const submit = (event: FormEvent) => {
		event.preventDefault();
		signInWithCode();
	};
	if (codeStep.isWanted)
		return <SignInCodeForm email={email} signIn={signIn} onSubmit={signInWithCode} onBack={codeStep.leave} />;

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

interface EmailFieldProps {
	value: string;
	error: string | undefined;
	onChange: (email: string) => void;
}

/** The address one signs in with, focused when its form appears. */
export function EmailField({ value, error, onChange }: EmailFieldProps) {
	return (
		<TextField
			label={m.account_email()}
			type="email"
			name="email"
			autoComplete="username"
			required
			withAsterisk={false}
			autoFocus
			value={value}
			error={error}
			onChange={(event) => onChange(event.currentTarget.value)}
		/>
	);
}
