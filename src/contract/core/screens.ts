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
}

function member(path: string, heading: string): Screen {
	return { path, role: 'member', anonymous: '/', heading };
}

function admin(path: string, heading: string, more: Partial<Screen> = {}): Screen {
	return { path, role: 'admin', anonymous: '/', denied: '/unauthorized', heading, ...more };
}

function open(path: string, heading: string): Screen {
	return { path, role: 'public', heading };
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
	member('/dashboard', 'screen_dashboard'),
	member('/dashboard/book', 'screen_shared_folders'),
	member('/dashboard/preview/book', 'screen_course'),
	member('/contact', 'screen_contact'),
	member('/account', 'screen_account'),
	member('/read/$edition', 'screen_reader'),
	member('/read/file/$id', 'screen_reader'),
	admin('/admin', 'screen_admin'),
	admin('/user/$email', 'screen_files'),
	admin('/delete-user', 'screen_delete_user'),
	admin('/login-history', 'screen_login_history', { denied: '/not-authorized' }),
	admin('/shared', 'screen_shared'),
	admin('/share-folders', 'screen_share_folders'),
	admin('/admin/contact', 'screen_admin_contact'),
	admin('/admin/audit', 'screen_audit'),
	admin('/admin/storage', 'screen_storage'),
	admin('/admin/mail', 'screen_mail'),
	admin('/admin/storefront', 'screen_storefront'),
	admin('/user-share-btn', 'screen_dashboard_button'),
	admin('/Bookdashboard', 'screen_orders', { anonymous: '/login' }),
	admin('/admin/credentials', 'screen_admin_credentials'),
	admin('/admin/visitor', 'screen_visitors'),
];

/** At the end of a mailed link to a screen: whoever is not signed in comes back there when they are. */
export const fromMail = 'from=mail';

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
