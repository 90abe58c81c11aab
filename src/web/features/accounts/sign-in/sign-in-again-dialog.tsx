import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { m } from '#messages';
import { client } from '#web/platform/api/client.ts';
import { describeFailure } from '#web/platform/api/failure.ts';
import { discardScreen, reportReauthenticated, useIsSignInPrompted } from '#web/platform/session/reauthentication.ts';
import { type Session, sessionQuery, useMe } from '#web/platform/session/session.ts';
import { endSession } from '#web/platform/session/session-end.ts';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { SignInCodeForm, useCodeStep } from './sign-in-code-form.tsx';
import { CurrentPasswordField, SignInForm } from './sign-in-form.tsx';

/** Asks to sign in again over a screen whose session has expired, so that what is under way there is not lost. */
export function SignInAgainDialog() {
	const isAsked = useIsSignInPrompted();
	const leave = () => discardScreen(() => endSession('expiry'));
	return (
		<Dialog isOpen={isAsked} onClose={leave} title={m.account_sign_in_again_title()} width={440} isDismissible={false}>
			{isAsked && <SignInAgainForm onLeave={leave} />}
		</Dialog>
	);
}

function SignInAgainForm({ onLeave }: { onLeave: () => void }) {
	const { email } = useMe();
	const queryClient = useQueryClient();
	useEffect(() => {
		// A sign-in in another tab: the same user continues here, another one gets a fresh page.
		const refetchSession = () => void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
		window.addEventListener('focus', refetchSession);
		return () => window.removeEventListener('focus', refetchSession);
	}, [queryClient]);
	const [password, setPassword] = useState('');
	const codeStep = useCodeStep();
	const signIn = useMutation({
		mutationFn: (code?: string) => client.account.signIn({ email, password, ...(code !== undefined && { code }) }),
		onSuccess: (me) => {
			const session: Session = { state: 'active', me };
			queryClient.setQueryData(sessionQuery.queryKey, session);
			reportReauthenticated();
			void queryClient.invalidateQueries();
		},
		onError: codeStep.hearRefusal,
	});
	const failure = signIn.isError ? describeFailure(signIn.error) : undefined;
	if (codeStep.isWanted)
		return <SignInCodeForm email={email} signIn={signIn} onSubmit={signIn.mutate} onBack={codeStep.leave} />;
	return (
		<SignInForm
			error={failure?.message}
			isBusy={signIn.isPending}
			label={m.account_login()}
			busyLabel={m.account_logging_in()}
			onSubmit={() => signIn.mutate(undefined)}
			more={
				<Button variant="quiet" isFullWidth onClick={onLeave}>
					{m.account_sign_in_again_leave()}
				</Button>
			}
		>
			<p>{m.account_sign_in_again_text({ email })}</p>
			{/* For password managers: it cannot be another person. */}
			<input type="hidden" name="email" autoComplete="username" value={email} />
			<CurrentPasswordField value={password} error={failure?.fields.password} onChange={setPassword} data-autofocus />
		</SignInForm>
	);
}
