import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { m } from '#messages';
import { describeFailure } from '#web/platform/api/failure.ts';
import { TextField } from '#web/ui/forms/field.tsx';
import { pathAfterSignIn } from './home-path.ts';
import { useSignIn } from './sign-in-api.ts';
import { SignInCodeForm, useCodeStep } from './sign-in-code-form.tsx';
import { CurrentPasswordField, SignInForm } from './sign-in-form.tsx';

/** Email and password, and a code if the server asks for one. `returnPath`: where an expired session was. */
export function LoginForm({ returnPath }: { returnPath: string | undefined }) {
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
	if (codeStep.isWanted)
		return <SignInCodeForm email={email} signIn={signIn} onSubmit={signInWithCode} onBack={codeStep.leave} />;

	return (
		<SignInForm
			error={failure?.message}
			isBusy={signIn.isPending}
			label={m.account_login()}
			busyLabel={m.account_logging_in()}
			onSubmit={() => signInWithCode()}
		>
			<EmailField value={email} error={emailError} onChange={setEmail} />
			<CurrentPasswordField ref={passwordInput} value={password} error={passwordError} onChange={setPassword} />
		</SignInForm>
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
