import { IconArrowLeft } from '@tabler/icons-react';
import { m } from '#messages';
import { historySearch } from '#web/features/history/history.api.ts';
import { LoginHistory } from '#web/features/history/history-list.tsx';
import { PeoplePicker } from '#web/features/people/people-picker.tsx';
import { useUrlState } from '#web/platform/url-state.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/faces.tsx';
import { iconProps } from '#web/ui/icon.ts';
import { PageHeader } from '#web/ui/page-header.tsx';
import classes from './login-history.module.css';

const searchFor = (email: string) => ({ email });

/** /login-history: people left, the chosen one's sign-ins right; on a phone one after the other. */
export function LoginHistoryScreen() {
	const [{ email }] = useUrlState(historySearch);
	return (
		<>
			<PageHeader title={m.screen_login_history()} />
			<div className={classes.parts} data-chosen={email === '' ? undefined : true}>
				<div className={classes.people}>
					<PeoplePicker label={m.history_people()} chosen={email} searchFor={searchFor} />
				</div>
				<div className={classes.history}>
					<ButtonLink
						to="."
						search={{}}
						size="small"
						variant="quiet"
						className={classes.back}
						icon={<IconArrowLeft {...iconProps} />}
					>
						{m.history_back()}
					</ButtonLink>
					{email === '' ? <EmptyState text={m.history_choose()} /> : <LoginHistory key={email} email={email} />}
				</div>
			</div>
		</>
	);
}
