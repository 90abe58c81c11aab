import { type FormEvent, useState } from 'react';
import { m } from '#messages';
import { describeFailure } from '#web/platform/failure.ts';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import classes from './account-form.module.css';

interface CodeFormProps {
	email: string;
	/** Each code is another try of it. */
	signIn: { error: Error | null; isPending: boolean; reset: () => void };
	onSubmit: (code: string) => void;
	onBack: () => void;
}

/** Whether a code is wanted besides the password: the refusals of a sign-in tell. */
export function useCodeStep() {
	const [isWanted, setWanted] = useState(false);
	const hearRefusal = (error: Error) => {
		const { code } = describeFailure(error);
		// The password no longer holds: there is nothing to be had with a code.
		if (code === 'LOGIN_FAILED' || code === 'ACCOUNT_DEACTIVATED') setWanted(false);
		if (code === 'TWO_FACTOR_CODE_WANTED') setWanted(true);
	};
	return { isWanted, hearRefusal, leave: () => setWanted(false) };
}

/** The second step of the login: the app's code, or a recovery code. */
export function CodeForm({ email, signIn, onSubmit, onBack }: CodeFormProps) {
	const [isRecovery, setRecovery] = useState(false);
	const [code, setCode] = useState('');
	const refusal = signIn.error === null ? undefined : describeFailure(signIn.error);
	// What led here says nothing of a code.
	const failure = refusal?.code === 'TWO_FACTOR_CODE_WANTED' ? undefined : refusal;
	const codeError = failure?.fields.code;

	const submit = (event: FormEvent) => {
		event.preventDefault();
		onSubmit(code);
	};
	const change = () => {
		setRecovery(!isRecovery);
		setCode('');
	};
	const back = () => {
		onBack();
		signIn.reset();
	};
	return (
		<form className={classes.form} onSubmit={submit}>
			{failure !== undefined && codeError === undefined && <Notice tone="negative">{failure.message}</Notice>}
			<p role="status">{isRecovery ? m.two_factor_login_recovery_intro() : m.two_factor_login_intro({ email })}</p>
			<TextField
				key={isRecovery ? 'recovery' : 'app'}
				label={isRecovery ? m.two_factor_login_recovery() : m.two_factor_login_code()}
				name="code"
				autoComplete="one-time-code"
				inputMode={isRecovery ? 'text' : 'numeric'}
				autoCapitalize="characters"
				spellCheck={false}
				required
				withAsterisk={false}
				autoFocus
				value={code}
				error={codeError}
				onChange={(event) => setCode(event.currentTarget.value)}
			/>
			<Button type="submit" variant="primary" isFullWidth disabled={signIn.isPending}>
				{signIn.isPending ? m.account_logging_in() : m.account_login()}
			</Button>
			<Button variant="quiet" isFullWidth onClick={change}>
				{isRecovery ? m.two_factor_use_app() : m.two_factor_use_recovery()}
			</Button>
			<Button variant="quiet" isFullWidth onClick={back}>
				{m.two_factor_login_back()}
			</Button>
		</form>
	);
}
