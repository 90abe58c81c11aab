import { useCallback } from 'react';
import { m } from '#messages';
import { usersPageSize, useUsers } from '#web/features/accounts/administration/users-api.ts';
import { DeleteUserList, DeleteUserListSkeleton } from '#web/features/accounts/deletion/delete-user-list.tsx';
import { deleteUserSearch } from '#web/features/accounts/deletion/deletion-api.ts';
import { DeletionProgress } from '#web/features/accounts/deletion/deletion-progress.tsx';
import { useUrlState } from '#web/platform/browser/url-state.ts';
import { useKeysetPages } from '#web/ui/data/pager.tsx';
import { SearchField } from '#web/ui/forms/search-field.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { FailedQuery } from '#web/ui/states/states.tsx';
import classes from '../list-screen.module.css';

/** /delete-user: finds a user and deletes the account permanently. */
export function DeleteUsersScreen() {
	const [{ search }, setSearch] = useUrlState(deleteUserSearch);
	const find = useCallback((text: string) => setSearch({ search: text }), [setSearch]);
	return (
		<>
			<PageHeader title={m.screen_delete_user()} />
			<div className={classes.page}>
				<div className={classes.tools}>
					<SearchField label={m.account_deletion_search()} value={search} onChange={find} />
				</div>
				<p className={classes.intro}>{m.account_deletion_intro()}</p>
				<DeletionProgress />
				<PagedUsers key={search} search={search} onClear={() => find('')} />
			</div>
		</>
	);
}

function PagedUsers({ search, onClear }: { search: string; onClear: () => void }) {
	const pages = useKeysetPages();
	const users = useUsers({ search, filter: 'all' }, pages.cursor);
	if (users.isPending) return <DeleteUserListSkeleton />;
	if (users.isError) {
		return <FailedQuery text={m.account_deletion_load_failed()} query={users} />;
	}
	const { items, total, nextCursor } = users.data;
	return (
		<DeleteUserList
			users={items}
			total={total}
			before={pages.pageIndex * usersPageSize}
			onPrevious={pages.onPrevious}
			onNext={pages.onNext(nextCursor, users.isPlaceholderData)}
			isChanging={users.isPlaceholderData}
			onClear={search === '' ? undefined : onClear}
		/>
	);
}
