import { Box, Flex } from '@mantine/core';
import * as z from 'zod';
import { m } from '#messages';
import { DeleteUserList } from '#web/features/accounts/deletion/delete-user-list.tsx';
import { DeletionProgress } from '#web/features/accounts/deletion/deletion-progress.tsx';
import { useUrlState } from '#web/platform/browser/url-state.ts';
import { SearchField } from '#web/ui/forms/search-field.tsx';
import { ListScreen } from '#web/ui/layout/section.tsx';
import classes from '../list-screen.module.css';

const deleteUserSearch = z.object({ search: z.string().default('') });

export function DeleteUsersScreen() {
	const [{ search }, setSearch] = useUrlState(deleteUserSearch);
	const setSearchText = (text: string) => setSearch({ search: text });
	return (
		<ListScreen title={m.screen_delete_user()}>
			<Flex wrap="wrap" align="center" gap={12} className={classes.tools}>
				<SearchField label={m.account_deletion_search()} value={search} onChange={setSearchText} />
			</Flex>
			<Box component="p" maw="90ch" mb={16} c="var(--ink-2)">
				{m.account_deletion_intro()}
			</Box>
			<DeletionProgress />
			<DeleteUserList key={search} search={search} onClear={() => setSearchText('')} />
		</ListScreen>
	);
}
