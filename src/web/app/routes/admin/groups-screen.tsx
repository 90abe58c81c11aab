import { Box, Stack } from '@mantine/core';
import { IconUsersPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { m } from '#messages';
import { GroupNameDialog } from '#web/features/accounts/groups/group-dialogs.tsx';
import { GroupList } from '#web/features/accounts/groups/group-list.tsx';
import { GroupMembers } from '#web/features/accounts/groups/group-members.tsx';
import { orElse, stateOf, text } from '#web/platform/browser/readers.ts';
import { useUrlState } from '#web/platform/browser/url-state.ts';
import { SearchField } from '#web/ui/forms/search-field.tsx';
import { ListScreen } from '#web/ui/layout/section.tsx';
import { Button } from '#web/ui/primitives/button.tsx';

/** The search parameters of /admin/groups: the opened group, and the text that groups or members are searched by. */
const groupsSearch = stateOf({ group: orElse(text(), ''), q: orElse(text(), '') });

/** /admin/groups: all groups; with `group`, its members. */
export function GroupsScreen() {
	const [{ group, q }, setSearch] = useUrlState(groupsSearch);
	const [isCreating, setCreating] = useState(false);
	const onSearch = (q: string) => setSearch({ q });
	const showList = () => setSearch({ group: '', q: '' }, { isNewStep: true });
	return (
		<ListScreen
			title={m.screen_groups()}
			actions={
				<Button variant={group === '' ? 'primary' : 'default'} icon={IconUsersPlus} onClick={() => setCreating(true)}>
					{m.groups_create()}
				</Button>
			}
		>
			{group === '' ? (
				<Stack gap={16}>
					<Box component="p" maw="60ch" c="dimmed">
						{m.groups_intro()}
					</Box>
					<SearchField label={m.groups_search()} value={q} onChange={onSearch} />
					<GroupList key={q} search={q.trim()} onClear={() => setSearch({ q: '' })} />
				</Stack>
			) : (
				<GroupMembers key={group} id={group} search={q.trim()} onSearch={onSearch} onDeleted={showList} />
			)}
			{isCreating && (
				<GroupNameDialog
					group={null}
					onClose={() => setCreating(false)}
					onSaved={({ id }) => setSearch({ group: id, q: '' }, { isNewStep: true })}
				/>
			)}
		</ListScreen>
	);
}
