import { type AsyncRouteComponent, createRootRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { JSX, ReactNode } from 'react';
import { useLocale } from '#web/platform/formats/locale.ts';
import { guardScreen } from '../guards/screen-guard.ts';
import { RootLayout } from '../shell/root-layout.tsx';
import { ErrorScreen, NotFoundScreen } from './fallback-screens.tsx';

const root = createRootRoute({
	component: withLocale(RootLayout),
	errorComponent: withLocale(ErrorScreen),
	notFoundComponent: withLocale(NotFoundScreen),
	beforeLoad: ({ location }) => guardScreen(location.pathname),
});

/** Layout of the protected screens. All of them but the reader are inside the shell. */
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
	createRoute({
		getParentRoute: () => root,
		path: '/login',
		component: lazyScreen(() => import('./public/login-screen.tsx'), 'LoginScreen'),
	}),
	createRoute({
		getParentRoute: () => root,
		path: '/forget',
		component: lazyScreen(() => import('./public/password-reset-screens.tsx'), 'ForgotPasswordScreen'),
	}),
	createRoute({
		getParentRoute: () => root,
		path: '/set-password',
		component: lazyScreen(() => import('./public/password-reset-screens.tsx'), 'SetPasswordScreen'),
	}),
	createRoute({
		getParentRoute: () => root,
		path: '/insta-credentials',
		component: lazyScreen(() => import('./public/credentials-lookup-screen.tsx'), 'CredentialsLookupScreen'),
	}),
	createRoute({
		getParentRoute: () => root,
		path: '/unauthorized',
		component: lazyScreen(() => import('./public/unauthorized-screens.tsx'), 'UnauthorizedScreen'),
	}),
	createRoute({
		getParentRoute: () => root,
		path: '/not-authorized',
		component: lazyScreen(() => import('./public/unauthorized-screens.tsx'), 'NotAuthorizedScreen'),
	}),
];

const readerScreens = [
	createRoute({
		getParentRoute: () => protectedLayout,
		path: '/read/$edition',
		component: lazyScreen(() => import('./member/reader-screens.tsx'), 'ReadScreen'),
	}),
	createRoute({
		getParentRoute: () => protectedLayout,
		path: '/read/file/$id',
		component: lazyScreen(() => import('./member/reader-screens.tsx'), 'ReadFileScreen'),
	}),
];

const workspaceScreens = [
	createRoute({
		getParentRoute: () => workspace,
		path: '/dashboard',
		component: lazyScreen(() => import('./member/dashboard-screen.tsx'), 'DashboardScreen'),
	}),
	createRoute({
		getParentRoute: () => workspace,
		path: '/dashboard/book',
		component: lazyScreen(() => import('./member/shared-folders-screen.tsx'), 'SharedFoldersScreen'),
	}),
	createRoute({
		getParentRoute: () => workspace,
		path: '/dashboard/preview/book',
		component: lazyScreen(() => import('./member/course-screen.tsx'), 'CourseScreen'),
	}),
	createRoute({
		getParentRoute: () => workspace,
		path: '/account',
		component: lazyScreen(() => import('./member/account-screen.tsx'), 'AccountScreen'),
	}),
	createRoute({
		getParentRoute: () => workspace,
		path: '/delete-user',
		component: lazyScreen(() => import('./admin/delete-users-screen.tsx'), 'DeleteUsersScreen'),
	}),
	createRoute({
		getParentRoute: () => workspace,
		path: '/admin',
		component: lazyScreen(() => import('./admin/users-screen.tsx'), 'UsersScreen'),
	}),
	createRoute({
		getParentRoute: () => workspace,
		path: '/contact',
		component: lazyScreen(() => import('./chat/member-chat-screen.tsx'), 'MemberChatScreen'),
	}),
	createRoute({
		getParentRoute: () => workspace,
		path: '/admin/contact',
		component: lazyScreen(() => import('./chat/admin-chats-screen.tsx'), 'AdminChatsScreen'),
	}),
	createRoute({
		getParentRoute: () => workspace,
		path: '/admin/credentials',
		component: lazyScreen(() => import('./admin/credentials-screen.tsx'), 'AdminCredentialsScreen'),
	}),
	createRoute({
		getParentRoute: () => workspace,
		path: '/admin/storefront',
		component: lazyScreen(() => import('./admin/storefront-screen.tsx'), 'AdminStorefrontScreen'),
	}),
	createRoute({
		getParentRoute: () => workspace,
		path: '/admin/storage',
		component: lazyScreen(() => import('./admin/storage-screen.tsx'), 'AdminStorageScreen'),
	}),
	createRoute({
		getParentRoute: () => workspace,
		path: '/admin/mail',
		component: lazyScreen(() => import('./admin/mail-screen.tsx'), 'AdminMailScreen'),
	}),
	createRoute({
		getParentRoute: () => workspace,
		path: '/admin/visitor',
		component: lazyScreen(() => import('./admin/visitors-screen.tsx'), 'AdminVisitorScreen'),
	}),
	createRoute({
		getParentRoute: () => workspace,
		path: '/user/$email',
		component: lazyScreen(() => import('./admin/user-files-screen.tsx'), 'UserFilesScreen'),
	}),
	createRoute({
		getParentRoute: () => workspace,
		path: '/login-history',
		component: lazyScreen(() => import('./admin/login-history-screen.tsx'), 'LoginHistoryScreen'),
	}),
	createRoute({
		getParentRoute: () => workspace,
		path: '/admin/audit',
		component: lazyScreen(() => import('./admin/audit-screen.tsx'), 'AuditScreen'),
	}),
	createRoute({
		getParentRoute: () => workspace,
		path: '/shared',
		component: lazyScreen(() => import('./admin/shared-with-user-screen.tsx'), 'SharedWithUserScreen'),
	}),
	createRoute({
		getParentRoute: () => workspace,
		path: '/share-folders',
		component: lazyScreen(() => import('./admin/share-folders-screen.tsx'), 'ShareFoldersScreen'),
	}),
	createRoute({
		getParentRoute: () => workspace,
		path: '/user-share-btn',
		component: lazyScreen(() => import('./admin/dashboard-button-screen.tsx'), 'DashboardButtonScreen'),
	}),
	createRoute({
		getParentRoute: () => workspace,
		path: '/Bookdashboard',
		component: lazyScreen(() => import('./admin/orders-screen.tsx'), 'OrdersScreen'),
	}),
];

/** Every screen of the contract but the landing page, which has an entry point of its own. */
export const routeTree = root.addChildren([
	...openScreens,
	protectedLayout.addChildren([...readerScreens, workspace.addChildren(workspaceScreens)]),
]);

type ScreenComponent<Props> = (props: Props) => ReactNode;

/** Renders a route's component again when the language changes, because the router renders only on its own state. */
function withLocale<Props>(Component: ScreenComponent<Props>): ScreenComponent<Props & JSX.IntrinsicAttributes> {
	return function InLanguage(props: Props & JSX.IntrinsicAttributes) {
		useLocale();
		return <Component {...props} />;
	};
}

/** Loads a screen from its own file, by its exported name. */
function lazyScreen<Name extends string>(
	load: () => Promise<Record<Name, ScreenComponent<object>>>,
	name: Name,
): AsyncRouteComponent<object> {
	const screen: AsyncRouteComponent<object> = lazyRouteComponent(load, name);
	// Looked up at each call, because the router removes its own `preload` once the screen has loaded.
	return Object.assign(withLocale(screen), { preload: () => screen.preload?.() });
}
