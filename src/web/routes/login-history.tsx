import { m } from '#messages';
import { historySearch } from '#web/features/history/history.api.ts';
import { LoginHistory } from '#web/features/history/history-list.tsx';
import { useUrlState } from '#web/platform/url-state.ts';
import { EmptyState } from '#web/ui/faces.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { BackToPeople, BesidePeople } from './beside-people.tsx';

const searchFor = (email: string) => ({ email });

/** /login-history: people left, the chosen one's sign-ins right; on a phone one after the other. */
export function LoginHistoryScreen() {
	const [{ email }] = useUrlState(historySearch);
	return (
		<>
			<PageHeader title={m.screen_login_history()} />
			<BesidePeople label={m.history_people()} chosen={email} searchFor={searchFor}>
				<BackToPeople label={m.history_back()} search={{}} />
				{email === '' ? <EmptyState text={m.history_choose()} /> : <LoginHistory key={email} email={email} />}
			</BesidePeople>
		</>
	);
}
