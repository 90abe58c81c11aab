import {
	type Icon,
	IconBook2,
	IconBuildingStore,
	IconChartBar,
	IconDatabase,
	IconFolderOpen,
	IconHistory,
	IconHome,
	IconKey,
	IconListSearch,
	IconMail,
	IconMessage,
	IconReceiptRupee,
	IconSchool,
	IconShare,
	IconShare2,
	IconToggleLeft,
	IconUserMinus,
	IconUsers,
	IconUsersGroup,
} from '@tabler/icons-react';
import type { Role } from '#contract/accounts/account.ts';
import { m } from '#messages';
import type { NavigationGroup, NavigationItem } from '#web/ui/layout/shell-context.ts';

interface NavigationTarget {
	path: string;
	label: () => string;
	icon: Icon;
	/** Role that sees this item. */
	for: Role;
	/** Matches all paths at which this item is current. Without it, the item is current only at `path`. */
	matches?: RegExp;
}

interface NavigationState {
	pendingOrders?: number;
	unreadChat?: number;
	/** Path that the dashboard button opens; undefined while unknown. */
	dashboardShare?: string | undefined;
}

/** Of these two screens, the navigation contains only the screen that the dashboard button opens. */
const dashboardButtonPaths = ['/dashboard/book', '/dashboard/preview/book'];

const navigationGroups: readonly { heading?: () => string; targets: readonly NavigationTarget[] }[] = [
	{
		targets: [
			{ path: '/dashboard', label: m.common_nav_home, icon: IconHome, for: 'user' },
			{ path: '/dashboard/book', label: m.screen_shared_folders, icon: IconShare, for: 'user' },
			{ path: '/dashboard/preview/book', label: m.screen_course, icon: IconSchool, for: 'user' },
			{
				path: '/admin',
				label: m.common_nav_users,
				icon: IconUsers,
				for: 'admin',
				matches: /^\/(admin|user\/(?!(guest|book)$).*)$/iu,
			},
			{ path: '/Bookdashboard', label: m.common_nav_orders, icon: IconReceiptRupee, for: 'admin' },
			{ path: '/admin/contact', label: m.screen_admin_contact, icon: IconMessage, for: 'admin' },
			{ path: '/contact', label: m.screen_contact, icon: IconMessage, for: 'user' },
		],
	},
	{
		heading: m.common_nav_spaces,
		targets: [
			{ path: '/user/guest', label: m.common_nav_guest, icon: IconFolderOpen, for: 'admin' },
			{ path: '/user/book', label: m.common_nav_book, icon: IconBook2, for: 'admin' },
		],
	},
	{
		heading: m.common_nav_sharing,
		targets: [
			{ path: '/share-folders', label: m.screen_share_folders, icon: IconShare2, for: 'admin' },
			{ path: '/shared', label: m.screen_shared, icon: IconUsersGroup, for: 'admin' },
			{ path: '/user-share-btn', label: m.screen_dashboard_button, icon: IconToggleLeft, for: 'admin' },
		],
	},
	{
		heading: m.common_nav_insight,
		targets: [
			{ path: '/admin/visitor', label: m.screen_visitors, icon: IconChartBar, for: 'admin' },
			{ path: '/login-history', label: m.screen_login_history, icon: IconHistory, for: 'admin' },
			{ path: '/admin/audit', label: m.screen_audit, icon: IconListSearch, for: 'admin' },
			{ path: '/admin/storage', label: m.screen_storage, icon: IconDatabase, for: 'admin' },
		],
	},
	{
		heading: m.common_nav_tools,
		targets: [
			{ path: '/admin/mail', label: m.screen_mail, icon: IconMail, for: 'admin' },
			{ path: '/admin/storefront', label: m.screen_storefront, icon: IconBuildingStore, for: 'admin' },
			{ path: '/admin/credentials', label: m.screen_admin_credentials, icon: IconKey, for: 'admin' },
			{ path: '/delete-user', label: m.screen_delete_user, icon: IconUserMinus, for: 'admin' },
		],
	},
];

/** Returns the navigation groups of a role. `isCurrent` marks the item of the current screen. */
export function navigationFor(
	role: Role,
	pathname: string,
	{ pendingOrders = 0, unreadChat = 0, dashboardShare }: NavigationState = {},
): NavigationGroup[] {
	const chat = { count: unreadChat, label: m.chat_unread({ count: unreadChat }) };
	const counts: Record<string, NavigationItem['count']> = {
		'/Bookdashboard': { count: pendingOrders, label: m.common_orders_pending({ count: pendingOrders }) },
		'/contact': chat,
		'/admin/contact': chat,
	};
	return navigationGroups
		.map((group) => ({
			...(group.heading === undefined ? {} : { heading: group.heading() }),
			items: group.targets
				.filter((target) => target.for === role)
				.filter(({ path }) => !dashboardButtonPaths.includes(path) || path === dashboardShare)
				.map((target) => ({
					path: target.path,
					label: target.label(),
					icon: target.icon,
					isCurrent: isCurrent(target, pathname),
					count: counts[target.path],
				})),
		}))
		.filter((group) => group.items.length > 0);
}

function isCurrent(target: NavigationTarget, pathname: string): boolean {
	const currentPath = pathname.replace(/\/$/u, '');
	return target.matches?.test(currentPath) ?? currentPath.toLowerCase() === target.path.toLowerCase();
}
