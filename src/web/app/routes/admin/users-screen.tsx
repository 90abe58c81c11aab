import { Flex } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import type { UserSummary } from '#contract/accounts/administration.ts';
import { m } from '#messages';
import { AddUserDialog, ImportUsersDialog } from '#web/features/accounts/administration/add-user-dialog.tsx';
import { FurtherUserItemContext } from '#web/features/accounts/administration/user-card-menu.tsx';
import { UserList, usersPageOptions, usersSearch } from '#web/features/accounts/administration/user-list.tsx';
import {
	type BookAccessChange,
	BookAccessDialog,
	BookAccessMenuItem,
} from '#web/features/book/administration/access/book-access-actions.tsx';
import { MailNotice } from '#web/features/mail/mail-notice.tsx';
import { useUrlState } from '#web/platform/browser/url-state.ts';
import { formatCount } from '#web/platform/formats/format.ts';
import { ChipFilter } from '#web/ui/forms/chip-filter.tsx';
import { SearchField } from '#web/ui/forms/search-field.tsx';
import { ListScreen } from '#web/ui/layout/section.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import classes from '../list-screen.module.css';

const firstPage = { page: 1, after: '' };

export function UsersScreen() {
	const [search, setSearch] = useUrlState(usersSearch);
	const [isAdding, setAdding] = useState(false);
	const [granting, setGranting] = useState<{ user: UserSummary; change: BookAccessChange }>();
	const renderBookItem = useCallback(
		(person: UserSummary) => (
			<BookAccessMenuItem user={person} onAsk={(user, change) => setGranting({ user, change })} />
		),
		[],
	);
	const [isImporting, setImporting] = useState(false);
	const users = useQuery(usersPageOptions(search, undefined));
	return (
		<ListScreen
			title={m.screen_admin()}
			note={users.data === undefined ? undefined : `${formatCount(users.data.total)}${users.data.isMore ? '+' : ''}`}
			actions={
				<Button variant="primary" icon={IconUserPlus} onClick={() => setAdding(true)}>
					{m.users_add()}
				</Button>
			}
		>
			<MailNotice />
			<Flex wrap="wrap" align="center" gap={12} className={classes.tools}>
				<SearchField
					label={m.users_search()}
					value={search.search}
					onChange={(text) => setSearch({ ...firstPage, search: text })}
				/>
				<ChipFilter
					label={m.users_filter()}
					value={search.filter}
					onChange={(filter) => setSearch({ ...firstPage, filter }, { isNewStep: true })}
					choices={[
						{ value: 'all', label: m.users_all() },
						{ value: 'active', label: m.users_active() },
						{ value: 'deactivated', label: m.users_deactivated() },
						{ value: 'admins', label: m.users_admins() },
					]}
				/>
				<span className={classes.aside}>{m.users_sorted()}</span>
			</Flex>
			<FurtherUserItemContext value={renderBookItem}>
				<UserList
					key={`${search.filter} ${search.search}`}
					search={search}
					onPage={(page, passed) => setSearch(page, { isNewStep: true, state: { passed } })}
					onClear={() => setSearch({ ...firstPage, search: '', filter: 'all' })}
				/>
			</FurtherUserItemContext>
			{granting !== undefined && <BookAccessDialog {...granting} onClose={() => setGranting(undefined)} />}
			{isImporting && <ImportUsersDialog onClose={() => setImporting(false)} />}
			{isAdding && (
				<AddUserDialog
					onClose={() => setAdding(false)}
					onImport={() => {
						setAdding(false);
						setImporting(true);
					}}
				/>
			)}
		</ListScreen>
	);
}
