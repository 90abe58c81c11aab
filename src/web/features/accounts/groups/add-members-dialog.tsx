import { Box, Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { GroupRef } from '#contract/accounts/groups.ts';
import { m } from '#messages';
import { api, client } from '#web/platform/api/client.ts';
import { shownInForm, useChange } from '#web/platform/api/use-change.ts';
import { toastSuccess } from '#web/platform/browser/toasts.ts';
import { formatCount } from '#web/platform/formats/format.ts';
import { ChooseButton, ChosenTokens, type Token } from '#web/ui/data/chosen-tokens.tsx';
import { UserRow } from '#web/ui/data/user-rows.tsx';
import { SearchField } from '#web/ui/forms/search-field.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { FailureNotice } from '#web/ui/states/notice.tsx';
import { FailedQuery } from '#web/ui/states/states.tsx';

/** Adds users, found by a search, to a group in one request. Opens on mount. */
export function AddMembersDialog({ group, onClose }: { group: GroupRef; onClose: () => void }) {
	const [chosen, setChosen] = useState<Token[]>([]);
	const add = useChange(client.groups.addMembers, {
		refetch: [api.groups.key(), api.sharing.key()],
		onSuccess: ({ added }) => toastSuccess(m.groups_added({ count: added, shown: formatCount(added) })),
		onError: shownInForm,
	});
	const remove = (id: string) => setChosen(chosen.filter((token) => token.id !== id));
	const toggle = (token: Token) =>
		chosen.some(({ id }) => id === token.id) ? remove(token.id) : setChosen([...chosen, token]);
	return (
		<Dialog
			onClose={onClose}
			title={m.groups_add_to({ name: group.name })}
			width={560}
			isDirty={chosen.length > 0}
			onSubmit={() => {
				if (chosen.length > 0)
					add.mutate({ id: group.id, userIds: chosen.map(({ id }) => id) }, { onSuccess: onClose });
			}}
			submitButton={{
				label: add.isPending ? m.groups_adding() : m.groups_add_members(),
				isBusy: add.isPending || chosen.length === 0,
			}}
		>
			<Stack gap={16}>
				<FailureNotice failure={add.failure} />
				<p>{m.groups_add_hint()}</p>
				<ChosenTokens label={m.groups_chosen()} tokens={chosen} onRemove={remove} />
				<Candidates chosen={new Set(chosen.map(({ id }) => id))} onToggle={toggle} />
			</Stack>
		</Dialog>
	);
}

function Candidates({ chosen, onToggle }: { chosen: ReadonlySet<string>; onToggle: (token: Token) => void }) {
	const [search, setSearch] = useState('');
	const input = { search: search.trim() || undefined, limit: 12 };
	const users = useQuery(api.people.list.queryOptions({ input, placeholderData: keepPreviousData }));
	return (
		<div>
			<SearchField label={m.users_search()} value={search} onChange={setSearch} />
			{users.isError && <FailedQuery text={m.users_failed()} query={users} />}
			<Box component="ul" mt={12} aria-label={m.sharing_found_users()} aria-busy={users.isPlaceholderData}>
				{users.data?.items.map(({ id, email, name, active }) => (
					<UserRow
						key={id}
						name={name}
						email={email}
						isMuted={!active}
						notes={[name !== null && email, !active && m.users_deactivated()]}
					>
						<ChooseButton
							name={email}
							isChosen={chosen.has(id)}
							onClick={() => onToggle({ id, label: name ?? email, isGroup: false })}
						/>
					</UserRow>
				))}
			</Box>
			{users.data?.items.length === 0 && (
				<Box component="p" mt={12} c="dimmed" role="status">
					{m.sharing_no_users_found()}
				</Box>
			)}
		</div>
	);
}
