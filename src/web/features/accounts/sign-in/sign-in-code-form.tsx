import { useState } from 'react';
import { m } from '#messages';
import { describeFailure } from '#web/platform/api/failure.ts';
import { Button } from '#web/ui/primitives/button.tsx';
import { CodeField } from '../two-factor/two-factor-fields.tsx';
import { SignInForm } from './sign-in-form.tsx';

interface SignInCodeFormProps {
	email: string;
	/** Each code is another try of it. */
	signIn: { error: Error | null; isPending: boolean; reset: () => void };
	onSubmit: (code: string) => void;
	onBack: () => void;
}

/** Whether a code is wanted besides the password: the refusals of a sign-in tell. */
export function useCodeStep() {
	const [isRequired, setRequired] = useState(false);
	const onSignInError = (error: Error) => {
		const { code } = describeFailure(error);
		// The password no longer holds: there is nothing to be had with a code.
		if (code === 'LOGIN_FAILED' || code === 'ACCOUNT_DEACTIVATED') setRequired(false);
		if (code === 'TWO_FACTOR_CODE_WANTED') setRequired(true);
	};
	return { isWanted: isRequired, hearRefusal: onSignInError, leave: () => setRequired(false) };
}

/** The second step of the login: the app's code, or a recovery code. */
export function SignInCodeForm({ email, signIn, onSubmit, onBack }: SignInCodeFormProps) {
	const [isRecovery, setRecovery] = useState(false);
	const [code, setCode] = useState('');
	const signInFailure = signIn.error === null ? undefined : describeFailure(signIn.error);
	// What led here says nothing of a code.
	const failure = signInFailure?.code === 'TWO_FACTOR_CODE_WANTED' ? undefined : signInFailure;
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
