import { useState } from 'react';
import type { Me } from '#contract/accounts/account.ts';
import { m } from '#messages';
import { client } from '#web/platform/api/client.ts';
import type { Failure } from '#web/platform/api/failure.ts';
import { useChange } from '#web/platform/api/use-change.ts';
import { Button } from '#web/ui/primitives/button.tsx';
import { CodeField } from '../two-factor/two-factor-fields.tsx';
import { SignInForm } from './sign-in-form.tsx';

/** Signs in with email and password. If the server then requires a code, `codeForm` is the form for the code. */
export function useSignIn(credentials: { email: string; password: string }, onSuccess: (me: Me) => void) {
	const [isCodeRequired, setCodeRequired] = useState(false);
	const call = (code?: string) => client.account.signIn({ ...credentials, ...(code !== undefined && { code }) });
	const signIn = useChange(call, {
		onSuccess,
		onError: ({ code }) => {
			// The password or account is no longer valid, so a code cannot complete the sign-in.
			if (code === 'LOGIN_FAILED' || code === 'ACCOUNT_DEACTIVATED') setCodeRequired(false);
			if (code === 'TWO_FACTOR_CODE_WANTED') setCodeRequired(true);
		},
	});
	const leave = () => {
		setCodeRequired(false);
		signIn.reset();
	};
	const { failure, isPending, mutate } = signIn;
	const form = { email: credentials.email, failure, isBusy: isPending, onSubmit: mutate, onBack: leave };
	return { signIn, codeForm: isCodeRequired ? <SignInCodeForm {...form} /> : undefined };
}

interface SignInCodeFormProps {
	email: string;
	failure: Failure | undefined;
	isBusy: boolean;
	onSubmit: (code: string) => void;
	onBack: () => void;
}

/** Accepts a code of the authenticator app or a recovery code. */
function SignInCodeForm({ email, failure: lastFailure, isBusy, onSubmit, onBack }: SignInCodeFormProps) {
	const [isRecovery, setRecovery] = useState(false);
	const [code, setCode] = useState('');
	// This error means that a code is required, not that the entered code is wrong.
	const failure = lastFailure?.code === 'TWO_FACTOR_CODE_WANTED' ? undefined : lastFailure;
	const codeError = failure?.fields.code;

	const change = () => {
		setRecovery(!isRecovery);
		setCode('');
	};
	return (
		<SignInForm
			error={codeError === undefined ? failure?.message : undefined}
			isBusy={isBusy}
			label={m.account_login()}
			busyLabel={m.account_logging_in()}
			onSubmit={() => onSubmit(code)}
			more={
				<>
					<Button variant="quiet" isFullWidth onClick={change}>
						{isRecovery ? m.two_factor_use_app() : m.two_factor_use_recovery()}
					</Button>
					<Button variant="quiet" isFullWidth onClick={onBack}>
						{m.two_factor_login_back()}
					</Button>
				</>
			}
		>
			<p role="status">{isRecovery ? m.two_factor_login_recovery_intro() : m.two_factor_login_intro({ email })}</p>
			<CodeField
				key={isRecovery ? 'recovery' : 'app'}
				label={isRecovery ? m.two_factor_login_recovery() : m.two_factor_login_code()}
				isDigitsOnly={!isRecovery}
				autoFocus
				value={code}
				error={codeError}
				onChange={setCode}
			/>
		</SignInForm>
	);
}
