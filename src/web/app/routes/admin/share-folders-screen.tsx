import { Box, Group, Stack } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import type { Node } from '#contract/files/files.ts';
import { m } from '#messages';
import { UserPicker } from '#web/features/accounts/administration/user-picker.tsx';
import { RefusedNodesDialog } from '#web/features/files/actions/refused-nodes-dialog.tsx';
import { StorageBrowser } from '#web/features/files/pickers/storage-browser.tsx';
import { canShareFrom, shareFoldersSearch } from '#web/features/sharing/api.ts';
import { type ShareConfirmation, ShareConfirmationDialog } from '#web/features/sharing/dialog/share-confirmation.tsx';
import { ShareStateCell } from '#web/features/sharing/share-state-cell.tsx';
import { useShareActions } from '#web/features/sharing/use-share-actions.tsx';
import { api } from '#web/platform/api/client.ts';
import { describeFailure } from '#web/platform/api/failure.ts';
import { useUrlState } from '#web/platform/browser/url-state.ts';
import { useMe } from '#web/platform/session/session.ts';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { ButtonLink } from '#web/ui/primitives/button.tsx';
import { Notice } from '#web/ui/states/notice.tsx';
import { EmptyState } from '#web/ui/states/states.tsx';
import { BackToUsers, UserListLayout } from '../user-list-layout.tsx';
import classes from './share-folders-screen.module.css';

/** /share-folders: a list of users beside the files of all spaces, with the selected user's access to each file. */
export function ShareFoldersScreen() {
	const [{ email, space, path, q }] = useUrlState(shareFoldersSearch);
	const searchParamsOf = (person: string) => withoutEmpty({ email: person, space, path, q });
	return (
		<>
			<PageHeader title={m.screen_share_folders()} />
			{email !== '' && space === '' ? (
				// Without the list of recipients, because the list of owners has the same users.
				<Box p="12px var(--gutter) var(--space-6)" maw={640}>
					<Storage key={email} email={email} />
				</Box>
			) : (
				<UserListLayout label={m.sharing_users()} chosen={email} searchParamsOf={searchParamsOf}>
					{email === '' ? <EmptyState text={m.sharing_choose_user()} /> : <Storage key={email} email={email} />}
				</UserListLayout>
			)}
		</>
	);
}

function Storage({ email }: { email: string }) {
	const [{ space, path, q }, setSearch] = useUrlState(shareFoldersSearch);
	const [confirmation, setConfirmation] = useState<{ question: ShareConfirmation; clearSelection?: () => void } | null>(
		null,
	);
	const actions = useShareActions();
	const recipient = useQuery(
		api.sharing.list.queryOptions({ input: { email, limit: 1 }, select: ({ person }) => person }),
	);
	const confirm = useCallback((question: ShareConfirmation) => setConfirmation({ question }), []);
	const searchForSpace = (owner: string) => withoutEmpty({ email, space: owner });
	const isInactive = recipient.data?.active === false;
	const isSelf = useMe().email.toLowerCase() === email.toLowerCase();
	const canShare = !isInactive && !isSelf && canShareFrom(space) && space.toLowerCase() !== email.toLowerCase();
	const isUnknown = recipient.isError && describeFailure(recipient.error).code === 'RECIPIENT_UNKNOWN';
	return (
		<Stack component="section" aria-label={m.sharing_browser()} gap={12}>
			<Group justify="space-between" gap="8px 12px">
				<BackToUsers label={m.sharing_all_users()} search={withoutEmpty({ space, path, q })} />
				{!isUnknown && (
					<>
						<p className={classes.for}>
							<Box component="span" c="dimmed">
								{m.sharing_for()}
							</Box>{' '}
							<strong>{email}</strong>
						</p>
						<ButtonLink to="/shared" search={{ email }} size="small" icon={IconEye}>
							{m.sharing_view_open()}
						</ButtonLink>
					</>
				)}
			</Group>
			{isInactive && <Notice tone="info">{m.sharing_inactive_note()}</Notice>}
			{isSelf && <Notice tone="info">{m.error_share_with_oneself()}</Notice>}
			{recipient.data?.isAdmin === true && !isSelf && <Notice tone="info">{m.sharing_admin_note()}</Notice>}
			{isUnknown ? (
				<EmptyState text={m.sharing_unknown_user()} />
			) : space === '' ? (
				<>
					<Box component="h2" fz="lg" fw={600}>
						{m.sharing_spaces()}
					</Box>
					<Box component="p" mt={-8} c="dimmed">
						{m.sharing_spaces_intro({ email })}
					</Box>
					<UserPicker label={m.sharing_spaces()} chosen="" searchFor={searchForSpace} />
				</>
			) : (
				<StorageBrowser
					owner={space}
					path={path}
					q={q}
					leadingCrumbs={[{ key: 'spaces', name: m.sharing_spaces(), to: '.', search: withoutEmpty({ email }) }]}
					searchParamsOf={(to) => withoutEmpty({ email, space, path: to })}
					onSearch={(text) => setSearch({ q: text })}
					labels={{ search: m.sharing_search(), aside: m.sharing_state_own() }}
					aside={(node: Node) => <ShareStateCell node={node} email={email} canShare={canShare} onAsk={confirm} />}
					onShare={
						canShare
							? (nodes, clearSelection) => setConfirmation({ question: { kind: 'share', nodes }, clearSelection })
							: undefined
					}
					isBusy={actions.isBusy}
				/>
			)}
			{confirmation !== null && (
				<ShareConfirmationDialog
					question={confirmation.question}
					target={{ email }}
					actions={actions}
					onShared={confirmation.clearSelection}
					onClose={() => setConfirmation(null)}
				/>
			)}
			<RefusedNodesDialog refusals={actions.refusals} onClose={actions.dismissRefusals} />
		</Stack>
	);
}

function withoutEmpty(fields: Record<string, string>): Record<string, string> {
	return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
}
