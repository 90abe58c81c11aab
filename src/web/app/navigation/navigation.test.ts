import { describe, expect, test } from 'vitest';
import { screens } from '#contract/core/screens.ts';
import { navigationFor } from './navigation.ts';
import { settingsArea } from './navigation-areas.ts';

const itemsOf = (role: 'user' | 'admin', pathname = '/', dashboardShare = '/dashboard/book') =>
	navigationFor(role, pathname, { dashboardShare }).groups.flat();
const pathsOf = (role: 'user' | 'admin') => itemsOf(role).map(({ path }) => path);
const settingsPaths = settingsArea.sections.flatMap(({ screens: listed }) => listed.map(({ path }) => path));
const childPaths = settingsPaths.filter((path) => path !== '/login-history');
const pathsWithoutTabs = pathsOf('admin').filter((path) => !['/', '/admin', '/user/guest'].includes(path));

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

test('while first steps are open, the first item leads to them and shows how many are left', () => {
	const [first, ...rest] = navigationFor('admin', '/admin', { openSteps: 3 }).groups;
	const count = { count: 3, label: '3 left' };
	expect(first).toMatchObject([
		{ path: '/admin', hash: 'first-steps', label: 'First steps', count, current: undefined },
	]);
	expect(rest).toEqual(navigationFor('admin', '/admin').groups);
	const atSteps = navigationFor('admin', '/admin', { openSteps: 3, isAtSteps: true }).groups.flat();
	expect(atSteps.map(({ current }) => current).filter(Boolean)).toEqual(['page']);
	expect(atSteps[0]?.current).toBe('page');
});

describe('navigationFor for an admin', () => {
	test.each([
		...pathsWithoutTabs.map((path) => [path, path, 'page', undefined]),
		...childPaths.map((path) => [path, '/admin/settings', 'true', undefined]),
		['/bookdashboard', '/Bookdashboard', 'page', undefined],
		['/admin', '/admin', 'page', 'Users'],
		['/ADMIN/', '/admin', 'page', 'Users'],
		['/user/asha@example.com', '/admin', 'true', undefined],
		['/delete-user', '/admin', 'true', 'Delete Users'],
		['/LOGIN-HISTORY', '/admin', 'true', 'Login history'],
		['/user/guest', '/user/guest', 'page', 'Guest space'],
		['/user/book/', '/user/guest', 'true', 'Book files'],
		['/share-folders', '/user/guest', 'true', 'Share folders'],
		['/shared', '/user/guest', 'true', 'Shared Folders'],
	])('marks at %s only the item %s (%s) and the tab %s as current', (pathname = '', path, current, tab) => {
		const items = itemsOf('admin', pathname).filter((item) => item.current !== undefined);
		expect(items).toMatchObject([{ path, current }]);
		const { tabs } = navigationFor('admin', pathname);
		expect(tabs.filter(({ isCurrent }) => isCurrent).map(({ label }) => label)).toEqual(tab === undefined ? [] : [tab]);
		expect(tabs.length > 0).toBe(tab !== undefined);
	});

	test('returns the settings as the parent of the screens that only the settings list', () => {
		const children = screens.map(({ path }) => path).filter((path) => navigationFor('admin', path).parent);
		expect(children.toSorted()).toEqual(childPaths.toSorted());
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
