import { Box, Group, Stack } from '@mantine/core';
import { IconArrowLeft, IconShare2 } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { Node } from '#contract/files/files.ts';
import { m } from '#messages';
import { UserPicker } from '#web/features/accounts/administration/user-picker.tsx';
import { type Crumb, FileBreadcrumb } from '#web/features/files/manager/file-breadcrumb.tsx';
import { NodeTable } from '#web/features/files/pickers/node-table.tsx';
import { sharedSearch } from '#web/features/sharing/api.ts';
import { type ShareConfirmation, ShareConfirmationDialog } from '#web/features/sharing/dialog/share-confirmation.tsx';
import { ShareStateCell } from '#web/features/sharing/share-state-cell.tsx';
import { type RecipientView, useRecipientView } from '#web/features/sharing/use-recipient-view.ts';
import { useShareActions } from '#web/features/sharing/use-share-actions.tsx';
import { describeFailure } from '#web/platform/api/failure.ts';
import { useUrlState } from '#web/platform/browser/url-state.ts';
import { SearchField } from '#web/ui/forms/search-field.tsx';
import { ListScreen } from '#web/ui/layout/section.tsx';
import { Badge } from '#web/ui/primitives/badge.tsx';
import { Button, ButtonLink } from '#web/ui/primitives/button.tsx';
import { Notice } from '#web/ui/states/notice.tsx';
import { SkeletonLines } from '#web/ui/states/skeleton.tsx';
import { EmptyState, FailedQuery } from '#web/ui/states/states.tsx';

/** /shared?email=: what is shared with this user. Without `email`: the list of users. */
export function SharedWithUserScreen() {
	const [{ email }] = useUrlState(sharedSearch);
	return (
		<ListScreen
			title={m.screen_shared()}
			actions={
				email !== '' && (
					<ButtonLink variant="primary" to="/share-folders" search={{ email }} icon={IconShare2}>
						{m.sharing_share()}
					</ButtonLink>
				)
			}
		>
			{email === '' ? (
				<Box maw={480}>
					<Box component="h2" mb={12} fz="lg" fw={600}>
						{m.sharing_choose_user_view()}
					</Box>
					<UserPicker label={m.sharing_users()} chosen="" searchFor={(person) => ({ email: person })} />
				</Box>
			) : (
				<RecipientFiles key={email} email={email} />
			)}
		</ListScreen>
	);
}

function RecipientFiles({ email }: { email: string }) {
	const [{ folder, q }, setSearch] = useUrlState(sharedSearch);
	const view = useRecipientView({ email, folder, q });
	const [confirmation, setConfirmation] = useState<ShareConfirmation | null>(null);
	const actions = useShareActions();
	const backLink = (
		<ButtonLink to="." search={{}} size="small" variant="quiet" icon={IconArrowLeft}>
			{m.sharing_other_user()}
		</ButtonLink>
	);
	if (describeFailure(view.query.error).code === 'RECIPIENT_UNKNOWN')
		return <EmptyState text={m.sharing_unknown_user()} action={backLink} />;
	const crumbs: Crumb[] = [
		{ key: '', name: m.sharing_view_of({ email }), to: '.', search: { email } },
		...view.breadcrumb.map(({ id, name }) => ({ key: id, name, to: '.', search: { email, folder: id } })),
	];
	return (
		<Stack component="section" aria-label={m.sharing_view_of({ email })} gap={12}>
			<Group gap={12} wrap="nowrap" ml={-10}>
				{backLink}
				{view.isInactive && <Badge tone="negative">{m.sharing_inactive()}</Badge>}
			</Group>
			{view.isAdmin && <Notice tone="info">{m.sharing_admin_note()}</Notice>}
			<FileBreadcrumb crumbs={crumbs} />
			<SearchField label={m.sharing_view_search()} value={q} onChange={(text) => setSearch({ q: text })} />
			<Content
				view={view}
				email={email}
				isInside={folder !== ''}
				q={q}
				onClear={() => setSearch({ q: '' })}
				aside={(node) => (
					<ShareStateCell node={node} email={email} canShare={!view.isInactive} onAsk={setConfirmation} />
				)}
			/>
			{confirmation !== null && (
				<ShareConfirmationDialog
					question={confirmation}
					target={{ email }}
					actions={actions}
					onClose={() => setConfirmation(null)}
				/>
			)}
		</Stack>
	);
}

interface ContentProps {
	view: RecipientView;
	email: string;
	isInside: boolean;
	q: string;
	onClear: () => void;
	aside: (node: Node) => ReactNode;
}

function Content({ view, email, isInside, q, onClear, aside }: ContentProps) {
	if (view.query.isPending) return <SkeletonLines label={m.files_loading()} count={6} height="48px" />;
	if (view.query.isError) {
		if (isInside && describeFailure(view.query.error).status === 404) {
			const back = (
				<ButtonLink to="." search={{ email }}>
					{m.sharing_view_back()}
				</ButtonLink>
			);
			return <EmptyState text={m.sharing_view_gone()} action={back} />;
		}
		return <FailedQuery text={isInside ? m.sharing_content_failed() : m.shared_failed()} query={view.query} />;
	}
	if (view.count === 0) {
		const clear = <Button onClick={onClear}>{m.files_clear_filter()}</Button>;
		if (q.trim() !== '') return <EmptyState text={m.sharing_view_no_match()} action={clear} />;
		return <EmptyState text={isInside ? m.sharing_view_empty() : m.sharing_view_none({ email })} />;
	}
	return (
		<NodeTable
			label={m.sharing_view_of({ email })}
			asideLabel={m.sharing_state_own()}
			count={view.count}
			nodeAt={view.nodeAt}
			onVisibleRange={view.onVisibleRange}
			searchParamsOf={({ id }) => ({ email, folder: id })}
			aside={aside}
			ownerLabel={view.ownerLabelOf}
			note={view.noteOf}
		/>
	);
}
