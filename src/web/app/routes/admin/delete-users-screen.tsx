import { Flex } from '@mantine/core';
import * as z from 'zod';
import { m } from '#messages';
import { DeleteUserList } from '#web/features/accounts/deletion/delete-user-list.tsx';
import { DeletionProgress } from '#web/features/accounts/deletion/deletion-progress.tsx';
import { useUrlState } from '#web/platform/browser/url-state.ts';
import { SearchField } from '#web/ui/forms/search-field.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import classes from '../list-screen.module.css';

/** The search parameters of /delete-user. */
const deleteUserSearch = z.object({ search: z.string().default('') });

/** /delete-user: finds a user and deletes the account permanently. */
export function DeleteUsersScreen() {
	const [{ search }, setSearch] = useUrlState(deleteUserSearch);
	const setSearchText = (text: string) => setSearch({ search: text });
	return (
		<>
			<PageHeader title={m.screen_delete_user()} />
			<div className={classes.page}>
				<Flex wrap="wrap" align="center" gap={12} className={classes.tools}>
					<SearchField label={m.account_deletion_search()} value={search} onChange={setSearchText} />
				</Flex>
				<p className={classes.intro}>{m.account_deletion_intro()}</p>
				<DeletionProgress />
				<DeleteUserList key={search} search={search} onClear={() => setSearchText('')} />
			</div>
		</>
	);
}
