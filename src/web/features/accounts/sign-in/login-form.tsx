import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { m } from '#messages';
import { client } from '#web/platform/api/client.ts';
import { queryClient } from '#web/platform/api/query-client.ts';
import { useChange } from '#web/platform/api/use-change.ts';
import { isNotSession, type Session, sessionQuery } from '#web/platform/session/session.ts';
import { pendingSignOut } from '#web/platform/session/session-end.ts';
import { TextField } from '#web/ui/forms/field.tsx';
import { pathAfterSignIn } from './home-path.ts';
import { SignInCodeForm, useCodeStep } from './sign-in-code-form.tsx';
import { CurrentPasswordField, SignInForm } from './sign-in-form.tsx';

/** Email and password, then a code if the server requires one. `returnPath`: the screen on which a session expired. */
export function LoginForm({ returnPath }: { returnPath: string | undefined }) {
	const navigate = useNavigate();
	const [email, setEmail] = useState('');
	const [password, setPassword] = useState('');
	const codeStep = useCodeStep();
	const passwordInput = useRef<HTMLInputElement>(null);
	const signIn = useChange(
		(code?: string) => client.account.signIn({ email, password, ...(code !== undefined && { code }) }),
		{
			onSuccess: (me) => {
				pendingSignOut.clear();
				// Otherwise cached data of another user could be shown.
				queryClient.removeQueries({ predicate: isNotSession });
				const session: Session = { state: 'active', me };
				queryClient.setQueryData(sessionQuery.queryKey, session);
				void navigate({ href: pathAfterSignIn(me.role, returnPath), replace: true });
			},
			onError: (error) => {
				codeStep.onSignInError(error);
				passwordInput.current?.select();
			},
		},
	);
	const { failure } = signIn;
	const { email: emailError, password: passwordError } = failure?.fields ?? {};
	if (codeStep.isRequired)
		return <SignInCodeForm email={email} signIn={signIn} onSubmit={signIn.mutate} onBack={codeStep.leave} />;

	return (
		<SignInForm
			error={failure?.message}
			isBusy={signIn.isPending}
			label={m.account_login()}
			busyLabel={m.account_logging_in()}
			onSubmit={() => signIn.mutate(undefined)}
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

/** The email field of a sign-in form, focused when the form appears. */
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
