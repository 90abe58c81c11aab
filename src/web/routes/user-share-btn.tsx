import { m } from '#messages';
import { DashboardSwitch } from '#web/features/sharing/dashboard-switch.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';

/** /user-share-btn: what the button on members' dashboards opens. */
export function UserShareButtonScreen() {
	return (
		<>
			<PageHeader title={m.screen_dashboard_button()} />
			<DashboardSwitch />
		</>
	);
}
