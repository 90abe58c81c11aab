/** Who may see a screen; the server redirects HTML requests by this list and the browser's router by the same. */
export type ScreenRole = 'public' | 'member' | 'admin';

export interface Screen {
	/** Path with `$name` for a variable segment; matched without regard to case. */
	path: string;
	role: ScreenRole;
	/** Where a visitor without a session goes. */
	anonymous?: '/' | '/login';
	/** Where a member without the role goes. */
	denied?: '/unauthorized' | '/not-authorized';
	/** Key of the screen's heading in the message files. */
	heading: string;
	/** A screen that is not built yet shows its heading and 'Not available yet', and is not linked. */
	isBuilt: boolean;
}

function member(path: string, heading: string, isBuilt: boolean): Screen {
	return { path, role: 'member', anonymous: '/', heading, isBuilt };
}

function admin(path: string, heading: string, isBuilt: boolean, more: Partial<Screen> = {}): Screen {
	return { path, role: 'admin', anonymous: '/', denied: '/unauthorized', heading, isBuilt, ...more };
}

function open(path: string, heading: string, isBuilt = true): Screen {
	return { path, role: 'public', heading, isBuilt };
}

/** Every screen of the specification's section 2, and the product's own pages beside them. */
export const screens: readonly Screen[] = [
	open('/', 'screen_landing'),
	open('/login', 'screen_login'),
	open('/forget', 'screen_forget'),
	open('/set-password', 'screen_set_password'),
	open('/insta-credentials', 'screen_credentials'),
	open('/unauthorized', 'screen_unauthorized'),
	open('/not-authorized', 'screen_not_authorized'),
	member('/dashboard', 'screen_dashboard', true),
	member('/dashboard/book', 'screen_shared_folders', true),
	member('/dashboard/preview/book', 'screen_course', true),
	member('/contact', 'screen_contact', false),
	member('/account', 'screen_account', true),
	member('/read/$edition', 'screen_reader', true),
	admin('/admin', 'screen_admin', true),
	admin('/user/$email', 'screen_files', true),
	admin('/delete-user', 'screen_delete_user', true),
	admin('/login-history', 'screen_login_history', true, { denied: '/not-authorized' }),
	admin('/shared', 'screen_shared', true),
	admin('/share-folders', 'screen_share_folders', true),
	admin('/admin/contact', 'screen_admin_contact', false),
	admin('/admin/audit', 'screen_audit', true),
	admin('/admin/storage', 'screen_storage', true),
	admin('/admin/mail', 'screen_mail', true),
	admin('/admin/storefront', 'screen_storefront', true),
	admin('/user-share-btn', 'screen_dashboard_button', true),
	admin('/Bookdashboard', 'screen_orders', true, { anonymous: '/login' }),
	admin('/admin/credentials', 'screen_admin_credentials', true),
	admin('/admin/visitor', 'screen_visitors', true),
];

/** Where an admin who must set two-factor sign-in up is led from every protected screen. */
export const setUpScreen = '/account';

/** The screen at a path, ignoring case and one trailing slash, or undefined for an unknown route. */
export function findScreen(path: string): Screen | undefined {
	const wanted = segmentsOf(path);
	return screens.find((screen) => {
		const own = segmentsOf(screen.path);
		return (
			own.length === wanted.length &&
			own.every((segment, i) =>
				segment.startsWith('$') ? wanted[i] !== '' : segment.toLowerCase() === wanted[i]?.toLowerCase(),
			)
		);
	});
}

/** Whether somebody with this role (undefined: nobody signed in) may see the screen. */
export function maySeeScreen(screen: Screen, role: 'user' | 'admin' | undefined): boolean {
	if (screen.role === 'public') return true;
	return screen.role === 'member' ? role !== undefined : role === 'admin';
}

function segmentsOf(path: string): string[] {
	return path.replace(/\/$/u, '').split('/').slice(1);
}
