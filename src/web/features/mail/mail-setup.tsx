import { Flex, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { canReceiveMail } from '#contract/core/text.ts';
import { m } from '#messages';
import { api, type CallOutputs, client } from '#web/platform/api/client.ts';
import { shownInForm, useChange } from '#web/platform/api/use-change.ts';
import { toastError, toastSuccess } from '#web/platform/browser/toasts.ts';
import { useMe } from '#web/platform/session/session.ts';
import { TextField } from '#web/ui/forms/field.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { ServerLine } from '#web/ui/primitives/server-line.tsx';
import { Notice } from '#web/ui/states/notice.tsx';

const smtpExample = 'SMTP_URL=smtps://you%40gmail.com:app-password@smtp.gmail.com:465';

/** What to do until mails are sent: the line for the mail server or, once it is set, the test. */
export function MailSetup() {
	const { data: status } = useQuery(api.mail.status.queryOptions());
	if (status === undefined) return null;
	if (status.transport === 'file')
		return <ServerLine text={smtpExample} where={m.setup_env} hint={m.mail_page_smtp_how()} />;
	return <TestMail isInStep />;
}

/** Sends a test mail. `isInStep`: the result is shown in a toast, because the step itself shows the last error. */
export function TestMail({ isInStep = false }: { isInStep?: boolean }) {
	const { email } = useMe();
	const [to, setTo] = useState(canReceiveMail(email) ? email : '');
	const { data: status } = useQuery(api.mail.status.queryOptions());
	const test = useChange(client.mail.sendTest, {
		refetch: [api.mail.status.key(), api.firstSteps.key()],
		onError: shownInForm,
		onSuccess: (result) => {
			if (isInStep) (result.result === 'sent' ? toastSuccess : toastError)(resultText(result));
		},
	});
	const { data: result, failure } = test;
	const submit = (event: FormEvent) => {
		event.preventDefault();
		test.mutate({ to });
	};
	return (
		<Stack gap={12} w="100%">
			<Flex component="form" noValidate direction="column" align="flex-start" gap={12} onSubmit={submit}>
				<TextField
					label={m.mail_page_test_to()}
					type="email"
					autoComplete="email"
					w="100%"
					maw={400}
					value={to}
					error={failure?.fields.to}
					onChange={({ currentTarget }) => setTo(currentTarget.value)}
				/>
				<Button type="submit" disabled={test.isPending}>
					{test.isPending ? m.mail_page_testing() : m.mail_page_test()}
				</Button>
			</Flex>
			{failure !== undefined && failure.fields.to === undefined && (
				<Notice tone="negative">
					{m.mail_page_test_broken()} {failure.message}
				</Notice>
			)}
			{!isInStep && result !== undefined && <Notice tone={tones[result.result]}>{resultText(result)}</Notice>}
			{status?.transport === 'smtp' && (
				<Text c="dimmed" fz="sm">
					{m.mail_page_sender_how({ sender: status.sender })}
				</Text>
			)}
		</Stack>
	);
}

type Result = CallOutputs['mail']['sendTest'];

const tones = { sent: 'positive', file: 'info', failed: 'negative', refused: 'negative' } as const;

function resultText({ to, result, error }: Result): string {
	if (result === 'sent') return m.mail_page_test_sent({ to });
	if (result === 'file') return m.mail_page_test_file({ to });
	const detail = { to, error: error ?? '' };
	return result === 'refused' ? m.mail_page_test_refused(detail) : m.mail_page_test_failed(detail);
}
