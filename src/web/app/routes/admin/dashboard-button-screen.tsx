import { m } from '#messages';
import { DashboardButtonSetting } from '#web/features/sharing/dashboard-button/dashboard-button-setting.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';

/** /user-share-btn: the target of the button on members' dashboards. */
export function DashboardButtonScreen() {
	return (
		<>
			<PageHeader title={m.screen_dashboard_button()} />
			<DashboardButtonSetting />
		</>
	);
}
