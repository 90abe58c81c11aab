import { Box, Group } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { FirstStep } from '#contract/setup/first-steps.ts';
import { m } from '#messages';
import { api, client } from '#web/platform/api/client.ts';
import { useChange } from '#web/platform/api/use-change.ts';
import { toastError, toastSuccess } from '#web/platform/browser/toasts.ts';
import { Button, ButtonLink } from '#web/ui/primitives/button.tsx';
import { CopyButton } from '#web/ui/primitives/copy-button.tsx';

/** What the owner does for a step: the screen to open, or the line to copy for a step outside the product. */
export function StepActions({ step, onKeepDefault }: { step: FirstStep; onKeepDefault: () => void }) {
	const { key, reason } = step;
	if (reason === null) return null;
	if (reason === 'no-server')
		return (
			<Group gap={8}>
				<CopiedLine text="SMTP_URL=smtps://USER:PASSWORD@HOST" />
				<MailSettingsLink />
			</Group>
		);
	if (key === 'mail') return <TestMailActions />;
	if (key === 'address') return <CopiedLine text="PUBLIC_URL=https://" />;
	if (key === 'backup') return <CopiedLine text="npm run cli -- backup DIR" />;
	if (key === 'storefront') return <StorefrontActions onKeepDefault={onKeepDefault} />;
	if (reason === 'no-file')
		return (
			<ButtonLink size="small" to="/user/$email" params={{ email: 'book' } as never}>
				{m.setup_edition_upload()}
			</ButtonLink>
		);
	return (
		<ButtonLink size="small" to="/Bookdashboard" search={{ dialog: 'book' } as never}>
			{m.orders_book_dashboard()}
		</ButtonLink>
	);
}

/** The choice between the default storefront, an empty one, and changing the present one. */
function StorefrontActions({ onKeepDefault }: { onKeepDefault: () => void }) {
	const navigate = useNavigate();
	const startEmpty = useChange(chooseEmptyTemplate, {
		refetch: [api.storefrontContent.key()],
		onSuccess: () => void navigate({ to: '/admin/storefront' }),
	});
	return (
		<Group gap={8}>
			<Button size="small" variant="quiet" onClick={onKeepDefault}>
				{m.setup_storefront_keep()}
			</Button>
			<Button size="small" variant="quiet" disabled={startEmpty.isPending} onClick={() => startEmpty.mutate(undefined)}>
				{m.setup_storefront_empty()}
			</Button>
			<ButtonLink size="small" to="/admin/storefront">
				{m.setup_storefront_open()}
			</ButtonLink>
		</Group>
	);
}

/** Changes the draft only. Visitors see the empty storefront once the owner has filled and published it. */
async function chooseEmptyTemplate(): Promise<void> {
	const { fields } = await client.storefrontContent.getDraft();
	const version = fields.find(({ field }) => field === 'template')?.version ?? 0;
	await client.storefrontContent.saveField({ field: 'template', value: 'empty', version });
}

function MailSettingsLink() {
	return (
		<ButtonLink size="small" to="/admin/mail">
			{m.setup_mail_open()}
		</ButtonLink>
	);
}

function TestMailActions() {
	const test = useChange(client.mail.sendTest, {
		refetch: [api.firstSteps.key()],
		// A toast, because a successful test completes the step, which then has no actions.
		onSuccess: ({ to, result, error }) => {
			if (result === 'sent') toastSuccess(m.setup_mail_test_sent({ to }));
			if (result === 'failed') toastError(m.setup_mail_test_failed({ to, error: error ?? '' }));
		},
	});
	return (
		<Group gap={8}>
			<Button size="small" variant="quiet" disabled={test.isPending} onClick={() => test.mutate(undefined)}>
				{test.isPending ? m.setup_mail_test_sending() : m.setup_mail_test()}
			</Button>
			<MailSettingsLink />
		</Group>
	);
}

function CopiedLine({ text }: { text: string }) {
	return (
		<Group gap={4} wrap="nowrap" maw="100%">
			<Box component="code" fz={13} style={{ overflowWrap: 'anywhere' }}>
				{text}
			</Box>
			<CopyButton
				size="small"
				text={text}
				label={m.setup_copy()}
				copied={m.setup_copied()}
				failed={m.setup_copy_failed()}
			/>
		</Group>
	);
}
