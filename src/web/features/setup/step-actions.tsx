import { Group } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { FirstStep } from '#contract/setup/first-steps.ts';
import { m } from '#messages';
import { api, client } from '#web/platform/api/client.ts';
import { useChange } from '#web/platform/api/use-change.ts';
import { Button, ButtonLink } from '#web/ui/primitives/button.tsx';
import { ServerLine } from '#web/ui/primitives/server-line.tsx';

export interface StepActionsProps {
	step: FirstStep;
	/** Sets up the mail server, or sends a test mail. */
	mailActions: ReactNode;
	onKeepDefault: () => void;
}

const addressLines = 'PUBLIC_URL=https://books.example.com\nTRUST_PROXY=1';

/** What the owner does for a step: the screen to open, or the line to copy for a step outside the product. */
export function StepActions({ step, mailActions, onKeepDefault }: StepActionsProps) {
	const { key, reason } = step;
	if (reason === null) return null;
	if (key === 'login')
		return (
			<ButtonLink size="small" to="/account">
				{m.setup_login_change()}
			</ButtonLink>
		);
	if (key === 'mail') return mailActions;
	if (key === 'address') return <ServerLine text={addressLines} where={m.setup_env} hint={m.setup_address_how()} />;
	if (key === 'backup') return <ServerLine text="npm run cli -- backup ../folio-backup" where={m.setup_backup_where} />;
	if (key === 'storefront') return <StorefrontActions onKeepDefault={onKeepDefault} />;
	if (reason === 'no-file')
		return (
			<ButtonLink size="small" to="/user/$email" params={{ email: 'book' }}>
				{m.setup_edition_upload()}
			</ButtonLink>
		);
	return (
		<ButtonLink size="small" to="/Bookdashboard" search={{ dialog: key === 'edition' ? 'editions' : 'book' }}>
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
