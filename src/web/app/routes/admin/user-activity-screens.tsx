import { Box, Flex } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { limits } from '#contract/core/limits.ts';
import { m } from '#messages';
import { DeleteUserList } from '#web/features/accounts/deletion/delete-user-list.tsx';
import { DeletionProgress } from '#web/features/accounts/deletion/deletion-progress.tsx';
import { LoginHistory, loginHistorySearch } from '#web/features/accounts/login-history/login-history.tsx';
import { auditCsvUrl, auditSearch } from '#web/features/audit/audit-api.ts';
import { AuditFilter } from '#web/features/audit/audit-filter.tsx';
import { AuditList } from '#web/features/audit/audit-list.tsx';
import { orElse, stateOf, text } from '#web/platform/browser/readers.ts';
import { useUrlState } from '#web/platform/browser/url-state.ts';
import { SearchField } from '#web/ui/forms/search-field.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { ListScreen } from '#web/ui/layout/section.tsx';
import { ButtonAnchor } from '#web/ui/primitives/button.tsx';
import textClasses from '#web/ui/primitives/text.module.css';
import { EmptyState } from '#web/ui/states/states.tsx';
import classes from '../list-screen.module.css';
import { BackToUsers, UserListLayout } from '../user-list-layout.tsx';

const deleteUserSearch = stateOf({ search: orElse(text(limits.searchMaxLength), '') });

/** /delete-user: deletes users with their data. */
export function DeleteUsersScreen() {
	const [{ search }, setSearch] = useUrlState(deleteUserSearch);
	const setSearchText = (search: string) => setSearch({ search });
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

const searchParamsOf = (email: string) => ({ email });

/** /login-history: a list of users beside the selected user's sign-ins. A phone shows only one of the two. */
export function LoginHistoryScreen() {
	const [{ email }] = useUrlState(loginHistorySearch);
	return (
		<>
			<PageHeader title={m.screen_login_history()} />
			<UserListLayout label={m.history_users()} chosen={email} searchParamsOf={searchParamsOf}>
				<BackToUsers label={m.history_back()} search={{}} />
				{email === '' ? <EmptyState text={m.history_choose()} /> : <LoginHistory key={email} email={email} />}
			</UserListLayout>
		</>
	);
}

/** /admin/audit: what was done by whom, with the filters in the URL. */
export function AuditScreen() {
	const [search, setSearch] = useUrlState(auditSearch);
	return (
		<ListScreen
			title={m.screen_audit()}
			note={m.audit_intro()}
			actions={
				<ButtonAnchor href={auditCsvUrl(search)} download className={classes.iconOnPhone} icon={IconDownload}>
					<span className={textClasses.hiddenOnPhone}>{m.audit_export()}</span>
				</ButtonAnchor>
			}
		>
			<AuditFilter search={search} onChange={setSearch} />
			<AuditList key={JSON.stringify(search)} search={search} onClear={() => setSearch(auditSearch({}))} />
		</ListScreen>
	);
}
