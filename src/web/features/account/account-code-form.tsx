import { type FormEvent, useState } from 'react';
import { m } from '#messages';
import type { Failure } from '#web/platform/failure.ts';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import classes from './account-form.module.css';

interface CodeFormProps {
	email: string;
	isBusy: boolean;
	/** Why the last code was refused. */
	failure: Failure | undefined;
	onSubmit: (code: string) => void;
	onBack: () => void;
}

/** The second step of the login: the app's code, or a recovery code. */
export function CodeForm({ email, isBusy, failure, onSubmit, onBack }: CodeFormProps) {
	const [isRecovery, setRecovery] = useState(false);
	const [code, setCode] = useState('');
	const codeError = failure?.fields.code;

	const submit = (event: FormEvent) => {
		event.preventDefault();
		onSubmit(code);
	};
	const change = () => {
		setRecovery(!isRecovery);
		setCode('');
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
			<Button type="submit" variant="primary" isFullWidth disabled={isBusy}>
				{isBusy ? m.account_logging_in() : m.account_login()}
			</Button>
			<Button variant="quiet" isFullWidth onClick={change}>
				{isRecovery ? m.two_factor_use_app() : m.two_factor_use_recovery()}
			</Button>
			<Button variant="quiet" isFullWidth onClick={onBack}>
				{m.two_factor_login_back()}
			</Button>
		</form>
	);
}
