import { describe, expect, test } from 'vitest';
import { screens } from '#contract/core/screens.ts';
import { navigationFor } from './navigation.ts';
import { settingsArea } from './navigation-areas.ts';

const itemsOf = (role: 'user' | 'admin', pathname = '/', dashboardShare = '/dashboard/book') =>
	navigationFor(role, pathname, { dashboardShare }).groups.flat();
const pathsOf = (role: 'user' | 'admin') => itemsOf(role).map(({ path }) => path);
const currentOf = (pathname: string) =>
	itemsOf('admin', pathname).flatMap(({ path, current }) => (current === undefined ? [] : [[path, current]]));
const settingsPaths = settingsArea.sections.flatMap(({ screens: listed }) => listed.map(({ path }) => path));

test('the items, tabs and settings of an admin lead to all admin screens and to the spaces guest and book', () => {
	const tabs = pathsOf('admin').flatMap((path) => navigationFor('admin', path).tabs.map((tab) => tab.path));
	const listedPaths = screens
		.filter(({ role, path }) => role === 'admin' && !path.includes('$'))
		.map(({ path }) => path);
	expect([...new Set([...pathsOf('admin'), ...tabs, ...settingsPaths])].toSorted()).toEqual(
		[...listedPaths, '/user/guest', '/user/book', '/account', '/'].toSorted(),
	);
});

test('an admin sees at most 12 items, first the orders, the chat and the users; a member sees three', () => {
	expect(pathsOf('admin').length).toBeLessThanOrEqual(12);
	expect(pathsOf('admin').slice(0, 3)).toEqual(['/Bookdashboard', '/admin/contact', '/admin']);
	expect(pathsOf('user')).toEqual(['/dashboard', '/dashboard/book', '/contact']);
	expect(navigationFor('user', '/account')).toMatchObject({ tabs: [], parent: undefined });
});

describe('navigationFor for an admin', () => {
	test.each([
		...pathsOf('admin')
			.filter((path) => path !== '/')
			.map((path) => [path, path, 'page']),
		['/ADMIN/', '/admin', 'page'],
		['/bookdashboard', '/Bookdashboard', 'page'],
		['/user/asha@example.com', '/admin', 'true'],
		['/delete-user', '/admin', 'true'],
		['/Login-History', '/admin', 'true'],
		['/user/book', '/user/guest', 'true'],
		['/share-folders', '/user/guest', 'true'],
		['/shared', '/user/guest', 'true'],
		...settingsPaths.filter((path) => path !== '/login-history').map((path) => [path, '/admin/settings', 'true']),
	])('marks at %s only the item %s as current', (pathname, path, current) =>
		expect(currentOf(pathname)).toEqual([[path, current]]),
	);

	test.each([
		['/admin', 'Users'],
		['/delete-user', 'Delete Users'],
		['/LOGIN-HISTORY', 'Login history'],
		['/user/guest', 'Guest space'],
		['/user/book/', 'Book files'],
		['/share-folders', 'Share folders'],
		['/shared', 'Shared Folders'],
		['/user/asha@example.com', undefined],
		['/admin/visitor', undefined],
	])('marks at %s only the tab %s as current', (pathname, label) => {
		const { tabs } = navigationFor('admin', pathname);
		expect(tabs.filter(({ isCurrent }) => isCurrent).map((tab) => tab.label)).toEqual(
			label === undefined ? [] : [label],
		);
		expect(tabs.length > 0).toBe(label !== undefined);
	});

	test('returns the settings as the parent of the screens that only the settings list', () => {
		const children = [...screens.map(({ path }) => path)].filter((path) => navigationFor('admin', path).parent);
		expect(children.toSorted()).toEqual(settingsPaths.filter((path) => path !== '/login-history').toSorted());
		expect(navigationFor('admin', '/admin/mail').parent).toEqual({ path: '/admin/settings', label: 'Settings' });
	});
});

test('navigationFor marks the shared folders or the course as current only if the dashboard button opens that screen', () => {
	const marked = (pathname: string, dashboardShare: string) =>
		itemsOf('user', pathname, dashboardShare)
			.filter(({ current }) => current === 'page')
			.map(({ path }) => path);
	const [folders, course] = ['/dashboard/book', '/dashboard/preview/book'];
	expect([marked(folders, folders), marked(course, course)]).toEqual([[folders], [course]]);
	expect([marked(course, folders), marked(folders, course)]).toEqual([[], []]);
});

test.each([
	['admin', '/Bookdashboard', { count: 3, label: '3 pending' }],
	['admin', '/admin/contact', { count: 2, label: '2 unread' }],
	['user', '/contact', { count: 2, label: '2 unread' }],
] as const)('navigationFor returns for the role %s the item %s with its count', (role, path, count) => {
	const items = navigationFor(role, '/', { pendingOrders: 3, unreadChat: 2 }).groups.flat();
	expect(items.find((item) => item.path === path)?.count).toEqual(count);
});
