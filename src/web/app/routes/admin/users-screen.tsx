import { Box, Flex } from '@mantine/core';
import { IconCheckbox, IconUserPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useCallback, useState } from 'react';
import type { UserSummary } from '#contract/accounts/administration.ts';
import { m } from '#messages';
import { FurtherUserItemContext } from '#web/features/accounts/administration/user-card-menu.tsx';
import { UserSelects, UserStatusFilter } from '#web/features/accounts/administration/user-filters.tsx';
import {
	UserList,
	type UsersSearch,
	usersFilter,
	usersPageOptions,
	usersSearch,
	withoutFilters,
} from '#web/features/accounts/administration/user-list.tsx';
import { useUserSelection } from '#web/features/accounts/administration/user-selection.ts';
import { SavedFiltersMenu } from '#web/features/accounts/saved-filters/saved-filters-menu.tsx';
import {
	type BookAccessChange,
	BookAccessDialog,
	BookAccessMenuItem,
} from '#web/features/book/administration/access/book-access-actions.tsx';
import { MailNotice } from '#web/features/mail/mail-notice.tsx';
import { FirstStepsError, ReopenFirstSteps, useFirstSteps } from '#web/features/setup/first-steps-state.tsx';
import { formatState, parseState, useUrlState } from '#web/platform/browser/url-state.ts';
import { formatCount } from '#web/platform/formats/format.ts';
import { SearchField } from '#web/ui/forms/search-field.tsx';
import { useStableCallback } from '#web/ui/hooks/latest-value.ts';
import { useIsPhone } from '#web/ui/hooks/viewport.ts';
import { ListScreen } from '#web/ui/layout/section.tsx';
import {
	componentOnDemand,
	dialogOnDemand,
	importScripts,
	type Overlays,
} from '#web/ui/overlays/overlays-on-demand.tsx';
import { toastLoadFailure } from '#web/ui/overlays/toasts-with-button.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { LoadingState } from '#web/ui/states/states.tsx';
import classes from '../list-screen.module.css';

const TestPurchaseDialog = dialogOnDemand(
	() => import('#web/features/orders/test-purchase/test-purchase-dialog.tsx'),
	'TestPurchaseDialog',
);

const loadAddUser = () => import('#web/features/accounts/administration/add-user-dialog.tsx');
const AddUserDialog = dialogOnDemand(() => loadAddUser().then((file) => ({ Dialog: file.AddUserDialog })), 'Dialog');
const ImportUsersDialog = dialogOnDemand(
	() => loadAddUser().then((file) => ({ Dialog: file.ImportUsersDialog })),
	'Dialog',
);
const UserBulkActions = componentOnDemand(() => import('./user-bulk-actions.tsx'), 'UserBulkActions');

const FirstSteps = lazy(async () => {
	const load = importScripts(() => import('#web/features/setup/first-steps.tsx'));
	const file = await load.catch(() => void toastLoadFailure());
	return { default: file?.FirstSteps ?? ((_props: object) => null) };
});
const MailSetup = componentOnDemand(() => import('#web/features/mail/mail-setup.tsx'), 'MailSetup');

const firstPage = { page: 1, after: '' };

export function UsersScreen() {
	const [search, setSearch] = useUrlState(usersSearch);
	const [dialog, setDialog] = useState<'add' | 'import' | 'test'>();
	const closeDialog = () => setDialog(undefined);
	const [granting, setGranting] = useState<{ user: UserSummary; change: BookAccessChange }>();
	const renderBookItem = useCallback(
		(person: UserSummary, Menu: Overlays['Menu']) => (
			<BookAccessMenuItem Menu={Menu} user={person} onAsk={(user, change) => setGranting({ user, change })} />
		),
		[],
	);
	const firstSteps = useFirstSteps();
	const hasFirstSteps = firstSteps.isShown;
	const query = formatState(usersFilter, search);
	const { sort: _sort, page: _page, after: _after, ...filters } = search;
	const selection = useUserSelection(JSON.stringify(filters));
	// Stays true, because the result of an action is shown after the selection was cleared.
	const [hasSelected, setHasSelected] = useState(false);
	if (!hasSelected && !selection.isEmpty) setHasSelected(true);
	const [isSelectMode, setSelectMode] = useState(false);
	// On a phone, checkboxes appear only on request, because there is little space.
	const isPhone = useIsPhone();
	const isSelecting = !isPhone || isSelectMode;
	const firstUsers = useQuery(usersPageOptions({ ...search, ...firstPage }));
	const { total = 0, isMore = false } = firstUsers.data ?? {};
	const filter = (changes: Partial<UsersSearch>) => setSearch({ ...firstPage, ...changes }, { isNewStep: true });
	const showFirstPage = useStableCallback(() => setSearch(firstPage));
	const selects = (
		<>
			<UserSelects search={search} onChange={filter} />
			<SavedFiltersMenu
				list="users"
				query={query}
				normalize={(saved) => formatState(usersFilter, parseState(usersFilter, saved))}
				onApply={(saved) => filter(parseState(usersFilter, saved))}
			/>
		</>
	);
	return (
		<ListScreen
			title={m.screen_admin()}
			note={firstUsers.data === undefined ? undefined : formatTotal(total, isMore)}
			actions={
				<Button variant="primary" icon={IconUserPlus} onClick={() => setDialog('add')}>
					{m.users_add()}
				</Button>
			}
		>
			{/* The checklist is above the list, which would move when the checklist appears later. */}
			{firstSteps.query.isPending ? (
				<LoadingState />
			) : (
				<Suspense fallback={<LoadingState />}>
					<FirstStepsError />
					{hasFirstSteps && <FirstSteps onTestPurchase={() => setDialog('test')} mailActions={<MailSetup />} />}
					<MailNotice isFileKnown={hasFirstSteps} />
					<Flex wrap="wrap" align="center" gap={12} className={classes.tools}>
						<SearchField
							label={m.users_search()}
							value={search.search}
							onChange={(text) => setSearch({ ...firstPage, search: text })}
						/>
						<UserStatusFilter search={search} onChange={filter} />
						{isPhone ? (
							<Box w="100%" style={{ display: 'grid', gridTemplateColumns: '1fr 1fr', gap: 8 }}>
								{selects}
								<Button
									icon={IconCheckbox}
									aria-pressed={isSelectMode}
									onClick={() => {
										setSelectMode(!isSelectMode);
										selection.clear();
									}}
								>
									{isSelectMode ? m.users_select_done() : m.users_select()}
								</Button>
							</Box>
						) : (
							selects
						)}
					</Flex>
					<FurtherUserItemContext value={renderBookItem}>
						<UserList
							key={query}
							search={search}
							onPage={(page, passed) => setSearch(page, { isNewStep: true, state: { passed } })}
							onLostPage={showFirstPage}
							onClear={() => filter(withoutFilters)}
							selection={selection}
							isSelecting={isSelecting}
						/>
					</FurtherUserItemContext>
					{hasSelected && (
						<UserBulkActions selection={selection} filters={filters} count={formatTotal(total, isMore)} />
					)}
					<ReopenFirstSteps />
				</Suspense>
			)}
			{granting !== undefined && <BookAccessDialog {...granting} onClose={() => setGranting(undefined)} />}
			{dialog === 'test' && <TestPurchaseDialog onClose={closeDialog} />}
			{dialog === 'import' && <ImportUsersDialog onClose={closeDialog} />}
			{dialog === 'add' && <AddUserDialog onClose={closeDialog} onImport={() => setDialog('import')} />}
		</ListScreen>
	);
}

function formatTotal(total: number, isMore: boolean): string {
	return `${formatCount(total)}${isMore ? '+' : ''}`;
}
