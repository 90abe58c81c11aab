import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { pathAfterSignIn } from '#contract/core/screens.ts';
import { m } from '#messages';
import { queryClient } from '#web/platform/api/query-client.ts';
import { isNotSession, type Session, sessionQuery } from '#web/platform/session/session.ts';
import { pendingSignOut } from '#web/platform/session/session-end.ts';
import { TextField } from '#web/ui/forms/field.tsx';
import { useSignIn } from './sign-in-code-form.tsx';
import { CurrentPasswordField, type PasswordProps, SignInForm } from './sign-in-form.tsx';

/** `returnPath`: the screen that was open when the session expired. */
export function LoginForm({ returnPath }: { returnPath: string | undefined }) {
	const navigate = useNavigate();
	const [email, setEmail] = useState('');
	const [password, setPassword] = useState('');
	const passwordInput = useRef<HTMLInputElement>(null);
	const { codeForm, signIn } = useSignIn({ email, password }, (me) => {
		pendingSignOut.clear();
		// The cached data may belong to another user.
		queryClient.removeQueries({ predicate: isNotSession });
		const session: Session = { state: 'active', me };
		queryClient.setQueryData(sessionQuery.queryKey, session);
		void navigate({ href: pathAfterSignIn(me.role, returnPath), replace: true });
	});
	if (codeForm !== undefined) return codeForm;

	const { failure } = signIn;
	const { email: emailError, password: passwordError } = failure?.fields ?? {};
	return (
		<SignInForm
			error={failure?.message}
			isBusy={signIn.isPending}
			label={m.account_login()}
			busyLabel={m.account_logging_in()}
			onSubmit={() => signIn.mutate(undefined, { onError: () => passwordInput.current?.select() })}
		>
			<EmailField value={email} error={emailError} onChange={setEmail} />
			<CurrentPasswordField ref={passwordInput} value={password} error={passwordError} onChange={setPassword} />
		</SignInForm>
	);
}

export function EmailField({ onChange, ...rest }: Pick<PasswordProps, 'value' | 'error' | 'onChange'>) {
	return (
		<TextField
			label={m.account_email()}
			type="email"
			name="email"
			autoComplete="username"
			required
			withAsterisk={false}
			autoFocus
			onChange={(event) => onChange(event.currentTarget.value)}
			{...rest}
		/>
	);
}
