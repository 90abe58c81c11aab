import { Box, Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { UnsentMail } from '#contract/mail/mail.ts';
import { m } from '#messages';
import { api, client } from '#web/platform/api/client.ts';
import { useChange } from '#web/platform/api/use-change.ts';
import { toastSuccess } from '#web/platform/browser/toasts.ts';
import { formatDateTime } from '#web/platform/formats/format.ts';
import { PagedList, usePagedQuery } from '#web/ui/data/paged-list.tsx';
import { UserRow } from '#web/ui/data/user-rows.tsx';
import { TextField } from '#web/ui/forms/field.tsx';
import { Section } from '#web/ui/layout/section.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { copyText } from '#web/ui/primitives/copy-button.tsx';
import { SkeletonLines } from '#web/ui/states/skeleton.tsx';

interface LoginLink {
	email: string;
	url: string;
}

/** The mails that were not sent, with actions to send them again and to pass on a login by other means. */
export function UnsentMails() {
	const list = usePagedQuery(25, (input) => api.mail.listUnsent.queryOptions({ input, staleTime: 0 }));
	const canSend = useQuery(api.mail.status.queryOptions()).data?.transport === 'smtp';
	/** A link that could not be copied, because the browser did not allow it. */
	const [shownLink, setShownLink] = useState<LoginLink>();
	return (
		<Section title={m.mail_unsent_title()}>
			<PagedList
				list={list}
				texts={{ failed: m.mail_unsent_failed(), empty: m.mail_unsent_none(), pages: m.mail_unsent_pages() }}
				skeleton={
					<Box mt={12}>
						<SkeletonLines label={m.mail_unsent_loading()} count={3} height="52px" />
					</Box>
				}
				rangeOf={() => ''}
				isHiddenOnSinglePage
			>
				{(mails) => (
					<ul>
						{mails.map((mail) => (
							<UnsentMailRow key={mail.id} mail={mail} canSend={canSend} onShowLink={setShownLink} />
						))}
					</ul>
				)}
			</PagedList>
			{shownLink !== undefined && (
				<Dialog
					title={m.mail_unsent_link_title({ email: shownLink.email })}
					onClose={() => setShownLink(undefined)}
					footer={<Button onClick={() => setShownLink(undefined)}>{m.common_close()}</Button>}
				>
					<Stack gap={12}>
						<p>{m.mail_unsent_link_text()}</p>
						<TextField
							aria-label={m.mail_unsent_link_title({ email: shownLink.email })}
							value={shownLink.url}
							readOnly
							data-autofocus
							onFocus={({ currentTarget }) => currentTarget.select()}
						/>
					</Stack>
				</Dialog>
			)}
		</Section>
	);
}

interface UnsentMailRowProps {
	mail: UnsentMail;
	canSend: boolean;
	onShowLink: (link: LoginLink) => void;
}

function UnsentMailRow({ mail, canSend, onShowLink }: UnsentMailRowProps) {
	const { id, to: email, kind, at, state, error, canSendAgain, hasLoginLink } = mail;
	const send = useChange(client.mail.sendAgain, {
		refetch: [api.mail.key()],
		onSuccess: () => toastSuccess(m.mail_unsent_again_done({ email })),
	});
	const createLink = useChange(client.mail.createLoginLink, {
		onSuccess: async ({ url }) => {
			if (await copyText(url)) toastSuccess(m.mail_unsent_copied({ email }));
			else onShowLink({ email, url });
		},
	});
	const isBusy = send.isPending || createLink.isPending;
	const reason = error ?? (state === 'file' ? m.mail_unsent_by_file() : '');
	const notes = [m.mail_kind({ kind }), formatDateTime(at), reason, !canSendAgain && m.mail_unsent_gone()];
	const buttonOf = (text: string, label: string, onClick: () => void) => (
		<Button size="small" aria-label={label} disabled={isBusy} onClick={onClick}>
			{text}
		</Button>
	);
	return (
		<UserRow name={null} email={email} notes={notes}>
			<Group gap={8} ml="auto">
				{canSend &&
					canSendAgain &&
					buttonOf(m.mail_unsent_again(), m.mail_unsent_again_to({ email }), () => send.mutate({ id }))}
				{hasLoginLink &&
					buttonOf(m.mail_unsent_copy(), m.mail_unsent_copy_for({ email }), () => createLink.mutate({ id }))}
			</Group>
		</UserRow>
	);
}
