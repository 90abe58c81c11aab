import { Flex } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { m } from '#messages';
import { api, client } from '#web/platform/api/client.ts';
import { useChange } from '#web/platform/api/use-change.ts';
import { sessionQuery } from '#web/platform/session/session.ts';
import { TextField } from '#web/ui/forms/field.tsx';
import { Section } from '#web/ui/layout/section.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { Notice } from '#web/ui/states/notice.tsx';
import { CurrentPasswordField } from '../sign-in/sign-in-form.tsx';
import classes from './change-password-section.module.css';

/** Changes the address with which an admin signs in. */
export function ChangeEmailSection() {
	const [email, setEmail] = useState('');
	const [currentPassword, setCurrent] = useState('');
	const change = useChange(client.account.changeEmail, {
		refetch: [sessionQuery.queryKey, api.firstSteps.key(), api.mailSettings.key()],
		onSuccess: () => {
			setEmail('');
			setCurrent('');
		},
	});
	const { failure } = change;
	const { email: emailError, currentPassword: currentError } = failure?.fields ?? {};
	const isBesideField = emailError !== undefined || currentError !== undefined;
	const submit = (event: FormEvent) => {
		event.preventDefault();
		change.mutate({ email, currentPassword });
	};
	return (
		<Section title={m.account_email()} intro={m.account_email_intro()}>
			<Flex component="form" direction="column" gap={16} maw={400} className={classes.form} onSubmit={submit}>
				{change.isSuccess && <Notice tone="positive">{m.account_email_changed()}</Notice>}
				{failure !== undefined && !isBesideField && <Notice tone="negative">{failure.message}</Notice>}
				<TextField
					label={m.account_email_new()}
					type="email"
					name="new-email"
					autoComplete="email"
					required
					withAsterisk={false}
					value={email}
					error={emailError}
					onChange={({ currentTarget }) => setEmail(currentTarget.value)}
				/>
				<CurrentPasswordField
					label={m.account_current_password()}
					value={currentPassword}
					error={currentError}
					onChange={setCurrent}
				/>
				<Button type="submit" variant="primary" disabled={change.isPending}>
					{change.isPending ? m.account_saving() : m.account_email_save()}
				</Button>
			</Flex>
		</Section>
	);
}
