/** Who may see a screen; the server and the browser's router both redirect by this list. */
export type ScreenRole = 'public' | 'member' | 'admin';

export interface Screen {
	/** Path, with `$name` for a variable segment; matched case-insensitively. */
	path: string;
	role: ScreenRole;
	/** Where a visitor without a session is redirected. */
	anonymous?: '/' | '/login';
	/** Where a member without the role is redirected. */
	denied?: '/unauthorized' | '/not-authorized';
	/** Key of the screen's heading in the message files. */
	heading: string;
}

function memberScreen(path: string, heading: string): Screen {
	return { path, role: 'member', anonymous: '/', heading };
}

function adminScreen(path: string, heading: string, more: Partial<Screen> = {}): Screen {
	return { path, role: 'admin', anonymous: '/', denied: '/unauthorized', heading, ...more };
}

function publicScreen(path: string, heading: string): Screen {
	return { path, role: 'public', heading };
}

/** Every screen of the specification's section 2, and the additional screens of the product. */
export const screens: readonly Screen[] = [
	publicScreen('/', 'screen_landing'),
	publicScreen('/login', 'screen_login'),
	publicScreen('/forget', 'screen_forgot_password'),
	publicScreen('/set-password', 'screen_set_password'),
	publicScreen('/insta-credentials', 'screen_credentials'),
	publicScreen('/unauthorized', 'screen_unauthorized'),
	publicScreen('/not-authorized', 'screen_not_authorized'),
	memberScreen('/dashboard', 'screen_dashboard'),
	memberScreen('/dashboard/book', 'screen_shared_folders'),
	memberScreen('/dashboard/preview/book', 'screen_course'),
	memberScreen('/contact', 'screen_contact'),
	memberScreen('/account', 'screen_account'),
	memberScreen('/read/$edition', 'screen_reader'),
	memberScreen('/read/file/$id', 'screen_reader'),
	adminScreen('/admin', 'screen_admin'),
	adminScreen('/user/$email', 'screen_files'),
	adminScreen('/delete-user', 'screen_delete_user'),
	adminScreen('/login-history', 'screen_login_history', { denied: '/not-authorized' }),
	adminScreen('/shared', 'screen_shared'),
	adminScreen('/share-folders', 'screen_share_folders'),
	adminScreen('/admin/groups', 'screen_groups'),
	adminScreen('/admin/contact', 'screen_admin_contact'),
	adminScreen('/admin/audit', 'screen_audit'),
	adminScreen('/admin/storage', 'screen_storage'),
	adminScreen('/admin/mail', 'screen_mail'),
	adminScreen('/admin/storefront', 'screen_storefront'),
	adminScreen('/admin/book', 'screen_book'),
	adminScreen('/admin/settings', 'screen_settings'),
	adminScreen('/user-share-btn', 'screen_dashboard_button'),
	adminScreen('/Bookdashboard', 'screen_orders', { anonymous: '/login' }),
	adminScreen('/admin/credentials', 'screen_admin_credentials'),
	adminScreen('/admin/visitor', 'screen_visitors'),
];

/** Query parameter of a mailed link to a screen, to which the user returns after signing in. */
export const fromMailParameter = 'from=mail';

/** Where every protected screen redirects an admin who must set up two-factor sign-in. */
export const twoFactorSetupPath = '/account';

/** Returns the screen at a path, ignoring case and one trailing slash, or undefined for an unknown route. */
export function findScreen(path: string): Screen | undefined {
	const segments = segmentsOf(path);
	return screens.find((screen) => {
		const patterns = segmentsOf(screen.path);
		return (
			patterns.length === segments.length &&
			patterns.every((pattern, i) =>
				pattern.startsWith('$') ? segments[i] !== '' : pattern.toLowerCase() === segments[i]?.toLowerCase(),
			)
		);
	});
}

/** Whether a user with this role (undefined: not signed in) may see the screen. */
export function canSeeScreen(screen: Screen, role: 'user' | 'admin' | undefined): boolean {
	if (screen.role === 'public') return true;
	return screen.role === 'member' ? role !== undefined : role === 'admin';
}

/** The first screen of a role. Source: the specification's section 4. */
export function homePath(role: 'user' | 'admin'): '/admin' | '/dashboard' {
	return role === 'admin' ? '/admin' : '/dashboard';
}

/** Returns the requested path if it is a protected screen that the role may see; otherwise the home path. */
export function pathAfterSignIn(role: 'user' | 'admin', requestedPath: string | undefined): string {
	if (requestedPath === undefined || !/^\/(?![/\\])/u.test(requestedPath)) return homePath(role);
	const target = URL.parse(requestedPath, 'http://own.invalid');
	if (target === null || target.host !== 'own.invalid') return homePath(role);
	const screen = findScreen(target.pathname);
	if (screen === undefined || screen.role === 'public' || !canSeeScreen(screen, role)) return homePath(role);
	return target.pathname + target.search;
}

function segmentsOf(path: string): string[] {
	return path.replace(/\/$/u, '').split('/').slice(1);
}
