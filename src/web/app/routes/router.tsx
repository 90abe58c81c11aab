import {
	type AnyRoute,
	type AsyncRouteComponent,
	createBrowserHistory,
	createRootRoute,
	createRoute,
	createRouter,
	lazyRouteComponent,
} from '@tanstack/react-router';
import type { JSX, ReactNode } from 'react';
import { formatSearchText, parseSearchText } from '#web/platform/browser/url-state.ts';
import { useLocale } from '#web/platform/formats/locale.ts';
import { LoadingState } from '#web/ui/states/states.tsx';
import { guardScreen } from '../guards/screen-guard.ts';
import { RootLayout } from '../shell/root-layout.tsx';
import * as fallbackScreens from './fallback-screens.tsx';

const root = createRootRoute({
	component: withLocale(RootLayout),
	errorComponent: withLocale(fallbackScreens.ErrorScreen),
	notFoundComponent: withLocale(fallbackScreens.NotFoundScreen),
	beforeLoad: ({ location }) => guardScreen(location.pathname),
});

/** All protected screens except the reader are inside the shell. */
const protectedLayout = createRoute({
	getParentRoute: () => root,
	id: 'protected',
	component: lazyScreen(() => import('../shell/protected-layout.tsx'), 'ProtectedLayout'),
});
const workspace = createRoute({
	getParentRoute: () => protectedLayout,
	id: 'workspace',
	component: lazyScreen(() => import('../shell/workspace-layout.tsx'), 'WorkspaceLayout'),
});

const openScreens = [
	screen(root, '/login', () => import('./public/login-screen.tsx'), 'LoginScreen'),
	screen(root, '/forget', () => import('./public/password-reset-screens.tsx'), 'ForgotPasswordScreen'),
	screen(root, '/set-password', () => import('./public/password-reset-screens.tsx'), 'SetPasswordScreen'),
	screen(root, '/insta-credentials', () => import('./public/credentials-lookup-screen.tsx'), 'CredentialsLookupScreen'),
	screen(root, '/unauthorized', async () => fallbackScreens, 'UnauthorizedScreen'),
	screen(root, '/not-authorized', async () => fallbackScreens, 'NotAuthorizedScreen'),
];

const readerScreens = [
	screen(protectedLayout, '/read/$edition', () => import('./member/reader-screens.tsx'), 'ReadScreen'),
	screen(protectedLayout, '/read/file/$id', () => import('./member/reader-screens.tsx'), 'ReadFileScreen'),
];

const workspaceScreens = [
	screen(workspace, '/dashboard', () => import('./member/dashboard-screen.tsx'), 'DashboardScreen'),
	screen(workspace, '/dashboard/book', () => import('./member/shared-folders-screen.tsx'), 'SharedFoldersScreen'),
	screen(workspace, '/dashboard/preview/book', () => import('./member/course-screen.tsx'), 'CourseScreen'),
	screen(workspace, '/account', () => import('./member/account-screen.tsx'), 'AccountScreen'),
	screen(workspace, '/delete-user', () => import('./admin/user-activity-screens.tsx'), 'DeleteUsersScreen'),
	screen(workspace, '/admin', () => import('./admin/users-screen.tsx'), 'UsersScreen'),
	screen(workspace, '/admin/groups', () => import('./admin/groups-screen.tsx'), 'GroupsScreen'),
	screen(workspace, '/contact', () => import('./chat/member-chat-screen.tsx'), 'MemberChatScreen'),
	screen(workspace, '/admin/contact', () => import('./chat/admin-chats-screen.tsx'), 'AdminChatsScreen'),
	screen(workspace, '/admin/credentials', () => import('./admin/credentials-screen.tsx'), 'AdminCredentialsScreen'),
	screen(
		workspace,
		'/admin/storefront',
		() => import('#web/features/storefront/editor/storefront-editor.tsx'),
		'StorefrontEditor',
	),
	screen(workspace, '/admin/book', () => import('./admin/settings-screens.tsx'), 'AdminBookScreen'),
	screen(workspace, '/admin/settings', () => import('./admin/settings-list-screen.tsx'), 'SettingsListScreen'),
	screen(workspace, '/admin/storage', () => import('./admin/settings-screens.tsx'), 'AdminStorageScreen'),
	screen(workspace, '/admin/mail', () => import('./admin/settings-screens.tsx'), 'AdminMailScreen'),
	screen(workspace, '/admin/visitor', () => import('./admin/visitors-screen.tsx'), 'AdminVisitorScreen'),
	screen(workspace, '/user/$email', () => import('./admin/user-files-screen.tsx'), 'UserFilesScreen'),
	screen(workspace, '/login-history', () => import('./admin/user-activity-screens.tsx'), 'LoginHistoryScreen'),
	screen(workspace, '/admin/audit', () => import('./admin/user-activity-screens.tsx'), 'AuditScreen'),
	screen(workspace, '/shared', () => import('./admin/shared-with-user-screen.tsx'), 'SharedWithUserScreen'),
	screen(workspace, '/share-folders', () => import('./admin/share-folders-screen.tsx'), 'ShareFoldersScreen'),
	screen(workspace, '/user-share-btn', () => import('./admin/settings-screens.tsx'), 'DashboardButtonScreen'),
	screen(workspace, '/Bookdashboard', () => import('./admin/orders-screen.tsx'), 'OrdersScreen'),
];

/** All screens except the landing page, which has a separate entry point. */
const routeTree = root.addChildren([
	...openScreens,
	protectedLayout.addChildren([...readerScreens, workspace.addChildren(workspaceScreens)]),
]);

/** Escapes doubled slashes, because the router would merge them. A path with doubled slashes must not be found. */
function parseLocation() {
	const { search, hash } = window.location;
	const pathname = window.location.pathname.replaceAll(/\/{2,}/gu, '/%2F');
	return { href: `${pathname}${search}${hash}`, pathname, search, hash, state: window.history.state };
}

/** Paths match regardless of case. Search parameters are plain text. */
export const router = createRouter({
	routeTree,
	...(typeof window !== 'undefined' && { history: createBrowserHistory({ parseLocation }) }),
	defaultPendingComponent: LoadingState,
	caseSensitive: false,
	trailingSlash: 'never',
	defaultPreload: 'intent',
	scrollRestoration: true,
	parseSearch: parseSearchText,
	stringifySearch: formatSearchText,
});

type ScreenComponent<Props> = (props: Props) => ReactNode;

/** Renders the component again when the language changes; the router alone would not do so. */
function withLocale<Props>(Component: ScreenComponent<Props>): ScreenComponent<Props & JSX.IntrinsicAttributes> {
	return function InLanguage(props: Props & JSX.IntrinsicAttributes) {
		useLocale();
		return <Component {...props} />;
	};
}

/** Creates a route whose component is the export `name` of a file that is loaded on demand. */
function screen<Name extends string>(
	parent: AnyRoute,
	path: string,
	load: () => Promise<Record<Name, ScreenComponent<object>>>,
	name: Name,
) {
	return createRoute({ getParentRoute: () => parent, path, component: lazyScreen(load, name) });
}

function lazyScreen<Name extends string>(
	load: () => Promise<Record<Name, ScreenComponent<object>>>,
	name: Name,
): AsyncRouteComponent<object> {
	const screen: AsyncRouteComponent<object> = lazyRouteComponent(load, name);
	// `screen.preload` is looked up at each call, because the router deletes it after loading.
	return Object.assign(withLocale(screen), { preload: () => screen.preload?.() });
}
