import { m } from '#messages';
import { LoginHistory, loginHistorySearch } from '#web/features/accounts/login-history/login-history.tsx';
import { useUrlState } from '#web/platform/browser/url-state.ts';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { EmptyState } from '#web/ui/states/states.tsx';
import { BackToUsers, UserListLayout } from '../user-list-layout.tsx';

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
