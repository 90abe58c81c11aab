import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { m } from '#messages';
import { client } from '#web/platform/api.ts';
import { describeFailure } from '#web/platform/failure.ts';
import { type Session, sessionQuery, useMe } from '#web/platform/session.ts';
import { endSession } from '#web/platform/session-end.ts';
import { letScreenGo, reportSignedInAgain, useSignInAsked } from '#web/platform/sign-in-again.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { PasswordField } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { CodeForm, useCodeStep } from './account-code-form.tsx';
import classes from './account-form.module.css';

/** Asks to sign in again over a screen whose session has expired, so that what is under way there is not lost. */
export function SignInAgainDialog() {
	const isAsked = useSignInAsked();
	const leave = () => letScreenGo(() => endSession('expiry'));
	return (
		<Dialog isOpen={isAsked} onClose={leave} title={m.account_again_title()} width={440} isDismissible={false}>
			{isAsked && <AgainForm onLeave={leave} />}
		</Dialog>
	);
}

function AgainForm({ onLeave }: { onLeave: () => void }) {
	const { email } = useMe();
	const queryClient = useQueryClient();
	useEffect(() => {
		// Somebody may have signed in by another tab: the same person goes on here, another finds nothing of this one's.
		const look = () => void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
		window.addEventListener('focus', look);
		return () => window.removeEventListener('focus', look);
	}, [queryClient]);
	const [password, setPassword] = useState('');
	const codeStep = useCodeStep();
	const signIn = useMutation({
		mutationFn: (code?: string) => client.account.signIn({ email, password, ...(code !== undefined && { code }) }),
		onSuccess: (me) => {
			const session: Session = { state: 'active', me };
			queryClient.setQueryData(sessionQuery.queryKey, session);
			reportSignedInAgain();
			void queryClient.invalidateQueries();
		},
		onError: codeStep.hearRefusal,
	});
	const failure = signIn.isError ? describeFailure(signIn.error) : undefined;
	const submit = (event: FormEvent) => {
		event.preventDefault();
		signIn.mutate(undefined);
	};
	if (codeStep.isWanted)
		return <CodeForm email={email} signIn={signIn} onSubmit={signIn.mutate} onBack={codeStep.leave} />;
	return (
		<form className={classes.form} onSubmit={submit}>
			{failure !== undefined && <Notice tone="negative">{failure.message}</Notice>}
			<p>{m.account_again_text({ email })}</p>
			{/* For password managers: it cannot be another person. */}
			<input type="hidden" name="email" autoComplete="username" value={email} />
			<PasswordField
				label={m.account_password()}
				name="password"
				autoComplete="current-password"
				required
				withAsterisk={false}
				data-autofocus
				value={password}
				error={failure?.fields.password}
				onChange={(event) => setPassword(event.currentTarget.value)}
			/>
			<Button type="submit" variant="primary" isFullWidth disabled={signIn.isPending}>
				{signIn.isPending ? m.account_logging_in() : m.account_login()}
			</Button>
			<Button variant="quiet" isFullWidth onClick={onLeave}>
				{m.account_again_leave()}
			</Button>
		</form>
	);
}
