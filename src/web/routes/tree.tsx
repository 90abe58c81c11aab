import { createRootRoute, createRoute } from '@tanstack/react-router';
import { guardScreen } from './guard.ts';
import { inLanguage, lazyScreen } from './in-language.tsx';
import { NotFoundScreen } from './not-found.tsx';
import { Root } from './root.tsx';
import { ScreenFailed } from './screen-failed.tsx';

const root = createRootRoute({
	component: inLanguage(Root),
	errorComponent: inLanguage(ScreenFailed),
	notFoundComponent: inLanguage(NotFoundScreen),
	beforeLoad: ({ location }) => guardScreen(location.pathname),
});

/** Protected screens; the shell around all of them but the reader. */
const protectedFrame = createRoute({
	getParentRoute: () => root,
	id: 'protected',
	component: lazyScreen(() => import('./protected.tsx'), 'Protected'),
});
const workspace = createRoute({
	getParentRoute: () => protectedFrame,
	id: 'workspace',
	component: lazyScreen(() => import('./workspace.tsx'), 'Workspace'),
});

const openScreens = [
	createRoute({
		getParentRoute: () => root,
		path: '/login',
		component: lazyScreen(() => import('./login.tsx'), 'LoginScreen'),
	}),
	createRoute({
		getParentRoute: () => root,
		path: '/forget',
		component: lazyScreen(() => import('./forget.tsx'), 'ForgetScreen'),
	}),
	createRoute({
		getParentRoute: () => root,
		path: '/set-password',
		component: lazyScreen(() => import('./set-password.tsx'), 'SetPasswordScreen'),
	}),
	createRoute({
		getParentRoute: () => root,
		path: '/insta-credentials',
		component: lazyScreen(() => import('./credentials.tsx'), 'CredentialsScreen'),
	}),
	createRoute({
		getParentRoute: () => root,
		path: '/unauthorized',
		component: lazyScreen(() => import('./unauthorized.tsx'), 'UnauthorizedScreen'),
	}),
	createRoute({
		getParentRoute: () => root,
		path: '/not-authorized',
		component: lazyScreen(() => import('./unauthorized.tsx'), 'NotAuthorizedScreen'),
	}),
];

const readerScreens = [
	createRoute({
		getParentRoute: () => protectedFrame,
		path: '/read/$edition',
		component: lazyScreen(() => import('./read.tsx'), 'ReadScreen'),
	}),
	createRoute({
		getParentRoute: () => protectedFrame,
		path: '/read/file/$id',
		component: lazyScreen(() => import('./read-file.tsx'), 'ReadFileScreen'),
	}),
];

const workspaceScreens = [
	createRoute({
		getParentRoute: () => workspace,
		path: '/dashboard',
		component: lazyScreen(() => import('./dashboard.tsx'), 'DashboardScreen'),
	}),
	createRoute({
		getParentRoute: () => workspace,
		path: '/dashboard/book',
		component: lazyScreen(() => import('./shared-folders.tsx'), 'SharedFoldersScreen'),
	}),
	createRoute({
		getParentRoute: () => workspace,
		path: '/dashboard/preview/book',
		component: lazyScreen(() => import('./course.tsx'), 'CourseScreen'),
	}),
	createRoute({
		getParentRoute: () => workspace,
		path: '/account',
		component: lazyScreen(() => import('./account.tsx'), 'AccountScreen'),
	}),
	createRoute({
		getParentRoute: () => workspace,
		path: '/delete-user',
		component: lazyScreen(() => import('./delete-user.tsx'), 'DeleteUserScreen'),
	}),
	createRoute({
		getParentRoute: () => workspace,
		path: '/admin',
		component: lazyScreen(() => import('./admin.tsx'), 'AdminScreen'),
	}),
	createRoute({
		getParentRoute: () => workspace,
		path: '/contact',
		component: lazyScreen(() => import('./contact.tsx'), 'ContactScreen'),
	}),
	createRoute({
		getParentRoute: () => workspace,
		path: '/admin/contact',
		component: lazyScreen(() => import('./admin-contact.tsx'), 'AdminContactScreen'),
	}),
	createRoute({
		getParentRoute: () => workspace,
		path: '/admin/credentials',
		component: lazyScreen(() => import('./admin-credentials.tsx'), 'AdminCredentialsScreen'),
	}),
	createRoute({
		getParentRoute: () => workspace,
		path: '/admin/storefront',
		component: lazyScreen(() => import('./admin-storefront.tsx'), 'AdminStorefrontScreen'),
	}),
	createRoute({
		getParentRoute: () => workspace,
		path: '/admin/storage',
		component: lazyScreen(() => import('./admin-storage.tsx'), 'AdminStorageScreen'),
	}),
	createRoute({
		getParentRoute: () => workspace,
		path: '/admin/mail',
		component: lazyScreen(() => import('./admin-mail.tsx'), 'AdminMailScreen'),
	}),
	createRoute({
		getParentRoute: () => workspace,
		path: '/admin/visitor',
		component: lazyScreen(() => import('./admin-visitor.tsx'), 'AdminVisitorScreen'),
	}),
	createRoute({
		getParentRoute: () => workspace,
		path: '/user/$email',
		component: lazyScreen(() => import('./user-files.tsx'), 'UserFilesScreen'),
	}),
	createRoute({
		getParentRoute: () => workspace,
		path: '/login-history',
		component: lazyScreen(() => import('./login-history.tsx'), 'LoginHistoryScreen'),
	}),
	createRoute({
		getParentRoute: () => workspace,
		path: '/admin/audit',
		component: lazyScreen(() => import('./audit.tsx'), 'AuditScreen'),
	}),
	createRoute({
		getParentRoute: () => workspace,
		path: '/shared',
		component: lazyScreen(() => import('./shared.tsx'), 'SharedScreen'),
	}),
	createRoute({
		getParentRoute: () => workspace,
		path: '/share-folders',
		component: lazyScreen(() => import('./share-folders.tsx'), 'ShareFoldersScreen'),
	}),
	createRoute({
		getParentRoute: () => workspace,
		path: '/user-share-btn',
		component: lazyScreen(() => import('./user-share-btn.tsx'), 'UserShareButtonScreen'),
	}),
	createRoute({
		getParentRoute: () => workspace,
		path: '/Bookdashboard',
		component: lazyScreen(() => import('./orders.tsx'), 'OrdersScreen'),
	}),
];

/** Every screen of the contract but the landing page, which is its own entry. */
export const routeTree = root.addChildren([
	...openScreens,
	protectedFrame.addChildren([...readerScreens, workspace.addChildren(workspaceScreens)]),
]);
