import { Flex } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { m } from '#messages';
import { api, client } from '#web/platform/api/client.ts';
import { useChange } from '#web/platform/api/use-change.ts';
import { sessionQuery, useMe } from '#web/platform/session/session.ts';
import { Section } from '#web/ui/layout/section.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { FailureNotice, Notice } from '#web/ui/states/notice.tsx';
import { CurrentPasswordField, NewPasswordField } from '../sign-in/sign-in-form.tsx';
import classes from './change-password-section.module.css';

export function ChangePasswordSection() {
	const { email } = useMe();
	const [current, setCurrent] = useState('');
	const [password, setPassword] = useState('');
	const currentInput = useRef<HTMLInputElement>(null);
	const change = useChange(client.account.changePassword, {
		refetch: [sessionQuery.queryKey, api.sessions.key(), api.firstSteps.key()],
		onSuccess: () => {
			setCurrent('');
			setPassword('');
		},
		onError: ({ fields }) => {
			if (fields.currentPassword !== undefined) currentInput.current?.select();
		},
	});
	const { failure } = change;
	const { currentPassword: currentError, password: passwordError } = failure?.fields ?? {};

	const submit = (event: FormEvent) => {
		event.preventDefault();
		change.mutate({ currentPassword: current, password });
	};

	return (
		<Section title={m.account_change_title()} intro={m.account_change_intro()}>
			<Flex component="form" direction="column" gap={16} maw={400} className={classes.form} onSubmit={submit}>
				{change.isSuccess && <Notice tone="positive">{m.account_password_changed()}</Notice>}
				<FailureNotice failure={failure} />
				{/* Tells password managers which account the password belongs to. */}
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
			</Flex>
		</Section>
	);
}
