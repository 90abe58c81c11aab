import { useState } from 'react';
import { m } from '#messages';
import type { Failure } from '#web/platform/api/failure.ts';
import { Button } from '#web/ui/primitives/button.tsx';
import { CodeField } from '../two-factor/two-factor-fields.tsx';
import { SignInForm } from './sign-in-form.tsx';

interface SignInCodeFormProps {
	email: string;
	/** The sign-in request, which is sent again with each code. */
	signIn: { failure: Failure | undefined; isPending: boolean; reset: () => void };
	onSubmit: (code: string) => void;
	onBack: () => void;
}

/** Whether a code is required after the password, according to the error codes of failed sign-ins. */
export function useCodeStep() {
	const [isRequired, setRequired] = useState(false);
	const onSignInError = ({ code }: Failure) => {
		// The password or account is no longer valid, so a code cannot complete the sign-in.
		if (code === 'LOGIN_FAILED' || code === 'ACCOUNT_DEACTIVATED') setRequired(false);
		if (code === 'TWO_FACTOR_CODE_WANTED') setRequired(true);
	};
	return { isRequired, onSignInError, leave: () => setRequired(false) };
}

/** The second step of the login: a code of the authenticator app, or a recovery code. */
export function SignInCodeForm({ email, signIn, onSubmit, onBack }: SignInCodeFormProps) {
	const [isRecovery, setRecovery] = useState(false);
	const [code, setCode] = useState('');
	// The error that opened this form is not about an entered code, so it is not shown.
	const failure = signIn.failure?.code === 'TWO_FACTOR_CODE_WANTED' ? undefined : signIn.failure;
	const codeError = failure?.fields.code;

	const change = () => {
		setRecovery(!isRecovery);
		setCode('');
	};
	const back = () => {
		onBack();
		signIn.reset();
	};
	return (
		<SignInForm
			error={codeError === undefined ? failure?.message : undefined}
			isBusy={signIn.isPending}
			label={m.account_login()}
			busyLabel={m.account_logging_in()}
			onSubmit={() => onSubmit(code)}
			more={
				<>
					<Button variant="quiet" isFullWidth onClick={change}>
						{isRecovery ? m.two_factor_use_app() : m.two_factor_use_recovery()}
					</Button>
					<Button variant="quiet" isFullWidth onClick={back}>
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
