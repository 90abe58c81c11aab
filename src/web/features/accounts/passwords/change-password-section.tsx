import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { describeFailure } from '#web/platform/api/failure.ts';
import { sessionQuery, useMe } from '#web/platform/session/session.ts';
import { Section } from '#web/ui/layout/section.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { Notice } from '#web/ui/states/notice.tsx';
import { CurrentPasswordField, NewPasswordField } from '../sign-in/sign-in-form.tsx';
import classes from './change-password-section.module.css';

/** Changes one's own password: the other devices are signed out, this one stays. */
export function ChangePasswordSection() {
	const { email } = useMe();
	const queryClient = useQueryClient();
	const [current, setCurrent] = useState('');
	const [password, setPassword] = useState('');
	const currentInput = useRef<HTMLInputElement>(null);
	const change = useMutation(
		api.account.changePassword.mutationOptions({
			onSuccess: () => {
				setCurrent('');
				setPassword('');
				void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
				void queryClient.invalidateQueries({ queryKey: api.sessions.key() });
			},
			onError: (error) => {
				if (describeFailure(error).fields.currentPassword !== undefined) currentInput.current?.select();
			},
		}),
	);
	const failure = change.isError ? describeFailure(change.error) : undefined;
	const { currentPassword: currentError, password: passwordError } = failure?.fields ?? {};
	const isBesideField = currentError !== undefined || passwordError !== undefined;

	const submit = (event: FormEvent) => {
		event.preventDefault();
		change.mutate({ currentPassword: current, password });
	};

	return (
		<Section title={m.account_change_title()} intro={m.account_change_intro()}>
			<form className={classes.form} onSubmit={submit}>
				{change.isSuccess && <Notice tone="positive">{m.account_password_changed()}</Notice>}
				{failure !== undefined && !isBesideField && <Notice tone="negative">{failure.message}</Notice>}
				{/* For password managers: whose password this is. */}
				<input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
				<CurrentPasswordField
					ref={currentInput}
					label={m.account_current_password()}
					name="current-password"
					value={current}
					error={currentError}
					onChange={setCurrent}
				/>
				<NewPasswordField value={password} error={passwordError} onChange={setPassword} />
				<Button type="submit" variant="primary" disabled={change.isPending}>
					{change.isPending ? m.account_saving() : m.account_change_save()}
				</Button>
			</form>
		</Section>
	);
}
