import { Menu } from '@mantine/core';
import { IconDevices, IconUserPlus } from '@tabler/icons-react';
import { useCallback, useMemo, useState } from 'react';
import type { UserSummary } from '#contract/accounts/administration.ts';
import { m } from '#messages';
import { AddUserDialog, ImportUsersDialog } from '#web/features/accounts/administration/add-user-dialog.tsx';
import { type UserAction, UserActionsContext } from '#web/features/accounts/administration/user-card-menu.tsx';
import { UserList } from '#web/features/accounts/administration/user-list.tsx';
import { usersSearch, useUsers } from '#web/features/accounts/administration/users-api.ts';
import { UserDevicesDialog } from '#web/features/accounts/sessions/devices.tsx';
import { BookAccessDialog, BookAccessMenuItem } from '#web/features/book/administration/access/book-access-actions.tsx';
import type { BookAccessChange } from '#web/features/book/administration/access/book-access-api.ts';
import { MailNotice } from '#web/features/mail/mail-notice.tsx';
import { useUrlState } from '#web/platform/browser/url-state.ts';
import { formatCount } from '#web/platform/formats/format.ts';
import { ChipFilter } from '#web/ui/forms/chip-filter.tsx';
import { SearchField } from '#web/ui/forms/search-field.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { iconProps, smallIconProps } from '#web/ui/primitives/icon.ts';
import classes from '../list-screen.module.css';

const firstPage = { page: 1, after: '' };

/** /admin: all users. */
export function UsersScreen() {
	const [search, setSearch] = useUrlState(usersSearch);
	const [isAdding, setAdding] = useState(false);
	const [devicesOf, setDevicesOf] = useState<UserSummary | null>(null);
	const [granting, setGranting] = useState<{ user: UserSummary; change: BookAccessChange }>();
	const actions = useMemo<readonly UserAction[]>(
		() => [
			{
				key: 'devices',
				render: (person) => (
					<Menu.Item leftSection={<IconDevices {...smallIconProps} />} onClick={() => setDevicesOf(person)}>
						{m.sessions_open()}
					</Menu.Item>
				),
			},
			{
				key: 'book',
				render: (person) => (
					<BookAccessMenuItem user={person} onAsk={(of, change) => setGranting({ user: of, change })} />
				),
			},
		],
		[],
	);
	const [isImporting, setImporting] = useState(false);
	const users = useUsers(search, undefined);
	const findEmail = useCallback((text: string) => setSearch({ ...firstPage, search: text }), [setSearch]);
	return (
		<>
			<PageHeader
				title={m.screen_admin()}
				note={users.data === undefined ? undefined : `${formatCount(users.data.total)}${users.data.isMore ? '+' : ''}`}
				actions={
					<Button variant="primary" icon={<IconUserPlus {...iconProps} />} onClick={() => setAdding(true)}>
						{m.users_add()}
					</Button>
				}
			/>
			<div className={classes.page}>
				<MailNotice />
				<div className={classes.tools}>
					<SearchField label={m.users_search()} value={search.search} onChange={findEmail} />
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
				</div>
				<UserActionsContext value={actions}>
					<UserList
						key={`${search.filter} ${search.search}`}
						search={search}
						onPage={(page, passed) => setSearch(page, { isNewStep: true, state: { passed } })}
						onClear={() => setSearch({ ...firstPage, search: '', filter: 'all' })}
					/>
				</UserActionsContext>
			</div>
			{devicesOf !== null && <UserDevicesDialog user={devicesOf} onClose={() => setDevicesOf(null)} />}
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
		</>
	);
}
