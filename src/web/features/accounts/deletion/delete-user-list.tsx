import { useState } from 'react';
import type { UserSummary } from '#contract/accounts/administration.ts';
import { m } from '#messages';
import cardClasses from '#web/ui/data/cards.module.css';
import { PagedList, usePagedQuery } from '#web/ui/data/paged-list.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { UserCardSkeletons, usersPageOptions, usersPageSize, usersSearch } from '../administration/user-list.tsx';
import { DeleteUserCard } from './delete-user-card.tsx';
import { DeleteUserDialog } from './delete-user-dialog.tsx';

/** User cards with Delete buttons. Needs the search as `key`, so that another search starts at page 1. */
export function DeleteUserList({ search, onClear }: { search: string; onClear: () => void }) {
	const [selectedUser, setSelectedUser] = useState<UserSummary>();
	const list = usePagedQuery(usersPageSize, ({ cursor }) =>
		usersPageOptions({ ...usersSearch({}), search, after: cursor ?? '' }),
	);
	return (
		<>
			<PagedList
				list={list}
				texts={{
					failed: m.account_deletion_load_failed(),
					empty: m.account_deletion_empty(),
					pages: m.account_deletion_pages(),
				}}
				emptyAction={search !== '' && <Button onClick={onClear}>{m.account_deletion_clear()}</Button>}
				skeleton={<UserCardSkeletons label={m.account_deletion_loading()} />}
			>
				{(items, isFetching) => (
					<div className={cardClasses.cards} aria-busy={isFetching}>
						{items.map((person) => (
							<DeleteUserCard key={person.id} person={person} onDelete={() => setSelectedUser(person)} />
						))}
					</div>
				)}
			</PagedList>
			{selectedUser !== undefined && (
				<DeleteUserDialog user={selectedUser} onClose={() => setSelectedUser(undefined)} />
			)}
		</>
	);
}
