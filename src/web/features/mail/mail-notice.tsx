import { Box } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { Notice } from '#web/ui/states/notice.tsx';

/** Warns an admin when mails are not sent. `isFileKnown`: whether the page already says that no SMTP server is set. */
export function MailNotice({ isFileKnown }: { isFileKnown: boolean }) {
	const { data } = useQuery(api.mail.status.queryOptions());
	if (data === undefined || (data.transport === 'smtp' ? data.notSent === 0 : isFileKnown)) return null;
	return (
		<Box mb={16}>
			<Notice tone={data.transport === 'file' ? 'info' : 'negative'}>
				{data.transport === 'file' && <p>{m.users_mail_file()}</p>}
				{data.notSent > 0 && <p>{m.users_mail_not_sent({ count: data.notSent })}</p>}
				{data.lastError !== null && <p>{m.users_mail_last_error({ error: data.lastError })}</p>}
			</Notice>
		</Box>
	);
}
