import { Box, Group as Row, Stack } from '@mantine/core';
import { IconArrowLeft, IconPencil, IconTrash, IconUserPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Group, type GroupMember, isComputedGroup } from '#contract/accounts/groups.ts';
import { m } from '#messages';
import { api, client } from '#web/platform/api/client.ts';
import { describeFailure } from '#web/platform/api/failure.ts';
import { useChange } from '#web/platform/api/use-change.ts';
import { formatDate } from '#web/platform/formats/format.ts';
import { formatRange, PagedList, usePagedQuery } from '#web/ui/data/paged-list.tsx';
import { groupName, groupNote, UserRow } from '#web/ui/data/user-rows.tsx';
import { SearchField } from '#web/ui/forms/search-field.tsx';
import { toastWithUndo } from '#web/ui/overlays/toasts-with-button.tsx';
import { Button, ButtonLink } from '#web/ui/primitives/button.tsx';
import { SkeletonLines } from '#web/ui/states/skeleton.tsx';
import { EmptyState } from '#web/ui/states/states.tsx';
import { AddMembersDialog } from './add-members-dialog.tsx';
import { DeleteGroupDialog, GroupNameDialog } from './group-dialogs.tsx';
import { membersText } from './group-list.tsx';

const membersPerPage = 50;

interface GroupMembersProps {
	id: string;
	search: string;
	onSearch: (text: string) => void;
	onDeleted: () => void;
}

/** A group with its members, page by page. Needs the id as `key`. */
export function GroupMembers({ id, search, onSearch, onDeleted }: GroupMembersProps) {
	const firstPage = useQuery(api.groups.members.queryOptions({ input: { id, limit: membersPerPage } }));
	const group = firstPage.data?.group;
	const backLink = (
		<ButtonLink to="." search={{}} size="small" variant="quiet" icon={IconArrowLeft}>
			{m.groups_all()}
		</ButtonLink>
	);
	if (describeFailure(firstPage.error).code === 'GROUP_UNKNOWN')
		return <EmptyState text={m.groups_gone()} action={backLink} />;
	return (
		<Stack component="section" gap={12} maw={760} aria-label={group && groupName(group)}>
			<Row ml={-10}>{backLink}</Row>
			{group !== undefined && <GroupHeader group={group} onDeleted={onDeleted} />}
			<SearchField label={m.users_search()} value={search} onChange={onSearch} />
			<MemberList key={search} id={id} search={search} onClear={() => onSearch('')} />
		</Stack>
	);
}

function MemberList({ id, search, onClear }: { id: string; search: string; onClear: () => void }) {
	const list = usePagedQuery(membersPerPage, (page) =>
		api.groups.members.queryOptions({ input: { id, search: search || undefined, ...page } }),
	);
	return (
		<PagedList
			list={list}
			texts={{
				failed: m.groups_members_failed(),
				empty: search === '' ? m.groups_no_members() : m.users_empty(),
				pages: m.groups_members_pages(),
			}}
			emptyAction={search !== '' && <Button onClick={onClear}>{m.users_clear()}</Button>}
			skeleton={<SkeletonLines label={m.groups_members_loading()} count={8} height="44px" />}
			rangeOf={({ items, group: { memberCount } }, before) =>
				formatRange(before, items.length, search === '' ? memberCount : before + items.length)
			}
			isHiddenOnSinglePage
		>
			{(items, isFetching) => (
				<Box component="ul" aria-busy={isFetching} aria-label={m.groups_members_label()}>
					{items.map((member) => (
						<MemberRow key={member.id} member={member} group={list.page.data?.group} />
					))}
				</Box>
			)}
		</PagedList>
	);
}

function GroupHeader({ group, onDeleted }: { group: Group; onDeleted: () => void }) {
	const [open, setOpen] = useState<'add' | 'rename' | 'delete'>();
	const close = () => setOpen(undefined);
	const isComputed = isComputedGroup(group.id);
	return (
		<Stack gap={12}>
			<Stack gap={2}>
				<Box component="h2" fz="xl" fw={600} style={{ overflowWrap: 'anywhere' }}>
					{groupName(group)}
				</Box>
				<Box component="p" c="dimmed">
					{[membersText(group.memberCount), groupNote(group.id)].filter((text) => text !== '').join(' · ')}
				</Box>
			</Stack>
			{!isComputed && (
				<Row gap={8}>
					<Button variant="primary" icon={IconUserPlus} onClick={() => setOpen('add')}>
						{m.groups_add_members()}
					</Button>
					<Button icon={IconPencil} onClick={() => setOpen('rename')}>
						{m.groups_rename()}
					</Button>
					<Button icon={IconTrash} variant="danger" onClick={() => setOpen('delete')}>
						{m.groups_delete()}
					</Button>
				</Row>
			)}
			{open === 'add' && <AddMembersDialog group={group} onClose={close} />}
			{open === 'rename' && <GroupNameDialog group={group} onClose={close} />}
			{open === 'delete' && <DeleteGroupDialog group={group} onClose={close} onDeleted={onDeleted} />}
		</Stack>
	);
}

function MemberRow({ member, group }: { member: GroupMember; group: Group | undefined }) {
	const { id, email, name, active, addedAt } = member;
	const refetch = [api.groups.key(), api.sharing.key()];
	const addBack = useChange(client.groups.addMembers, { refetch });
	const remove = useChange(client.groups.removeMembers, {
		refetch,
		onSuccess: (_, input) =>
			toastWithUndo(m.groups_removed({ email, name: group?.name ?? '' }), () => addBack.mutate(input)),
	});
	return (
		<UserRow
			name={name}
			email={email}
			isMuted={!active}
			notes={[
				name !== null && email,
				!active && m.users_deactivated(),
				addedAt !== null && m.groups_member_since({ date: formatDate(addedAt) }),
			]}
		>
			{group !== undefined && addedAt !== null && (
				<Button
					size="small"
					aria-label={m.groups_remove_member({ email })}
					disabled={remove.isPending}
					onClick={() => remove.mutate({ id: group.id, userIds: [id] })}
				>
					{m.groups_remove()}
				</Button>
			)}
		</UserRow>
	);
}
