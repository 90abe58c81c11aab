import { useWindowEvent } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { m } from '#messages';
import { discardScreen, reportReauthenticated } from '#web/platform/session/reauthentication.ts';
import { type Session, sessionQuery, useMe } from '#web/platform/session/session.ts';
import { endSession } from '#web/platform/session/session-end.ts';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { useSignIn } from './sign-in-code-form.tsx';
import { CurrentPasswordField, SignInForm } from './sign-in-form.tsx';

/** Shown above the current screen after the session has expired, so that unsaved work is not lost. */
export function SignInAgainDialog() {
	const leave = () => discardScreen(() => endSession('expiry'));
	return (
		<Dialog onClose={leave} title={m.account_sign_in_again_title()} width={440} isDismissible={false}>
			<SignInAgainForm onLeave={leave} />
		</Dialog>
	);
}

function SignInAgainForm({ onLeave }: { onLeave: () => void }) {
	const { email } = useMe();
	const queryClient = useQueryClient();
	// Detects a sign-in in another tab: the dialog closes for the same user, and the page reloads for a different user.
	useWindowEvent('focus', () => void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey }));
	const [password, setPassword] = useState('');
	const { codeForm, signIn } = useSignIn({ email, password }, (me) => {
		const session: Session = { state: 'active', me };
		queryClient.setQueryData(sessionQuery.queryKey, session);
		reportReauthenticated();
		void queryClient.invalidateQueries();
	});
	if (codeForm !== undefined) return codeForm;

	const { failure } = signIn;
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
			{/* Tells password managers which account the password belongs to. */}
			<input type="hidden" name="email" autoComplete="username" value={email} />
			<CurrentPasswordField value={password} error={failure?.fields.password} onChange={setPassword} data-autofocus />
		</SignInForm>
	);
}
