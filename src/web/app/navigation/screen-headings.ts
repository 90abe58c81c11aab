import type { Screen } from '#contract/core/screens.ts';
import { m } from '#messages';

/** Lists the messages by name, because a dynamic lookup in `m` would add all messages to the bundle. */
const headings: Record<string, () => string> = {
	screen_landing: m.screen_landing,
	screen_login: m.screen_login,
	screen_forgot_password: m.screen_forgot_password,
	screen_set_password: m.screen_set_password,
	screen_credentials: m.screen_credentials,
	screen_admin_credentials: m.screen_admin_credentials,
	screen_unauthorized: m.screen_unauthorized,
	screen_not_authorized: m.screen_not_authorized,
	screen_dashboard: m.screen_dashboard,
	screen_shared_folders: m.screen_shared_folders,
	screen_course: m.screen_course,
	screen_contact: m.screen_contact,
	screen_account: m.screen_account,
	screen_reader: m.screen_reader,
	screen_admin: m.screen_admin,
	screen_files: m.screen_files,
	screen_delete_user: m.screen_delete_user,
	screen_login_history: m.screen_login_history,
	screen_shared: m.screen_shared,
	screen_share_folders: m.screen_share_folders,
	screen_groups: m.screen_groups,
	screen_admin_contact: m.screen_admin_contact,
	screen_dashboard_button: m.screen_dashboard_button,
	screen_storefront: m.screen_storefront,
	screen_book: m.screen_book,
	screen_settings: m.screen_settings,
	screen_audit: m.screen_audit,
	screen_storage: m.screen_storage,
	screen_mail: m.screen_mail,
	screen_orders: m.screen_orders,
	screen_visitors: m.screen_visitors,
};

/** For undefined, returns the heading of the 'not found' screen. */
export function screenHeading(screen: Screen | undefined): string {
	return headings[screen?.heading ?? '']?.() ?? m.page_not_found();
}
