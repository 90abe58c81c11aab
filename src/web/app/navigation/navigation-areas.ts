import {
	type Icon,
	IconBook2,
	IconBuildingStore,
	IconChartBar,
	IconDatabase,
	IconExternalLink,
	IconFolderOpen,
	IconHistory,
	IconHome,
	IconKey,
	IconListSearch,
	IconMail,
	IconMessage,
	IconReceiptRupee,
	IconSchool,
	IconSettings,
	IconShare,
	IconShieldLock,
	IconToggleLeft,
	IconUsers,
} from '@tabler/icons-react';
import type { Role } from '#contract/accounts/account.ts';
import { m } from '#messages';

interface NavigationScreen {
	path: string;
	label: () => string;
}

/** An item of the sidebar or of the phone's bar. */
export interface NavigationArea extends NavigationScreen {
	icon: Icon;
	for: Role;
	/** All screens of the area, if there are several. Each of them shows tabs that lead to the others. */
	tabs?: readonly NavigationScreen[];
	/** Screens that the area's own screen lists. Each of them has a link back to it. */
	sections?: ReadonlyArray<{ screens: readonly NavigationScreen[] }>;
	/** Matches paths of further screens of the area. */
	alsoAt?: RegExp;
	isExternal?: boolean;
}

const loginHistory = { path: '/login-history', label: m.screen_login_history };

export const settingsArea = {
	path: '/admin/settings',
	label: m.screen_settings,
	icon: IconSettings,
	for: 'admin',
	sections: [
		{
			heading: m.settings_buyers,
			screens: [
				{ path: '/admin/mail', label: m.screen_mail, icon: IconMail, description: m.settings_mail_hint },
				{
					path: '/user-share-btn',
					label: m.screen_dashboard_button,
					icon: IconToggleLeft,
					description: m.settings_dashboard_button_hint,
				},
				{
					path: '/admin/credentials',
					label: m.screen_admin_credentials,
					icon: IconKey,
					description: m.settings_credentials_hint,
				},
			],
		},
		{
			heading: m.settings_data,
			screens: [
				{ path: '/admin/storage', label: m.screen_storage, icon: IconDatabase, description: m.settings_storage_hint },
			],
		},
		{
			heading: m.settings_security,
			screens: [
				{ path: '/admin/audit', label: m.screen_audit, icon: IconListSearch, description: m.settings_audit_hint },
				// This screen belongs to the area of the users, whose tabs it shows.
				{ ...loginHistory, icon: IconHistory, description: m.settings_login_history_hint },
				{ path: '/account', label: m.screen_account, icon: IconShieldLock, description: m.settings_account_hint },
			],
		},
	],
} as const;

/** All areas, in the order and groups of the sidebar. A phone's bar has the first ones. */
export const navigationAreas: readonly (readonly NavigationArea[])[] = [
	[
		{ path: '/dashboard', label: m.common_nav_home, icon: IconHome, for: 'user' },
		{ path: '/dashboard/book', label: m.screen_shared_folders, icon: IconShare, for: 'user' },
		{ path: '/dashboard/preview/book', label: m.screen_course, icon: IconSchool, for: 'user' },
		{ path: '/contact', label: m.screen_contact, icon: IconMessage, for: 'user' },
		{ path: '/Bookdashboard', label: m.common_nav_orders, icon: IconReceiptRupee, for: 'admin' },
		{ path: '/admin/contact', label: m.screen_admin_contact, icon: IconMessage, for: 'admin' },
		{
			path: '/admin',
			label: m.common_nav_users,
			icon: IconUsers,
			for: 'admin',
			tabs: [
				{ path: '/admin', label: m.common_nav_users },
				{ path: '/admin/groups', label: m.screen_groups },
				{ path: '/delete-user', label: m.screen_delete_user },
				loginHistory,
			],
			alsoAt: /^\/user\/(?!(guest|book)$)/iu,
		},
	],
	[
		{ path: '/admin/storefront', label: m.screen_storefront, icon: IconBuildingStore, for: 'admin' },
		{ path: '/admin/book', label: m.screen_book, icon: IconBook2, for: 'admin' },
		{
			path: '/user/guest',
			label: m.screen_files,
			icon: IconFolderOpen,
			for: 'admin',
			tabs: [
				{ path: '/user/guest', label: m.common_nav_guest },
				{ path: '/user/book', label: m.common_nav_book },
				{ path: '/share-folders', label: m.screen_share_folders },
				{ path: '/shared', label: m.screen_shared },
			],
		},
		{ path: '/admin/visitor', label: m.screen_visitors, icon: IconChartBar, for: 'admin' },
	],
	[
		settingsArea,
		{ path: '/', label: m.common_nav_view_storefront, icon: IconExternalLink, for: 'admin', isExternal: true },
	],
];
