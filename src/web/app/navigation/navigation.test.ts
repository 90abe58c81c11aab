import { describe, expect, test } from 'vitest';
import { navigationFor } from './navigation.ts';

const pathsOf = (role: 'user' | 'admin', pathname = '/', dashboardShare = '/dashboard/book') =>
	navigationFor(role, pathname, { dashboardShare }).flatMap((group) => group.items.map((item) => item.path));
const currentOf = (pathname: string) =>
	navigationFor('admin', pathname)
		.flatMap((group) => group.items)
		.filter((item) => item.isCurrent)
		.map((item) => item.path);

test('navigationFor lists for each role only the screens that it may see', () => {
	expect(pathsOf('admin')).toEqual([
		'/admin',
		'/Bookdashboard',
		'/admin/contact',
		'/user/guest',
		'/user/book',
		'/share-folders',
		'/shared',
		'/user-share-btn',
		'/admin/visitor',
		'/login-history',
		'/admin/audit',
		'/admin/storage',
		'/admin/mail',
		'/admin/storefront',
		'/admin/credentials',
		'/delete-user',
	]);
	expect(pathsOf('user')).toEqual(['/dashboard', '/dashboard/book', '/contact']);
});

describe('navigationFor marks one item of an admin as current', () => {
	test.each([
		...pathsOf('admin').map((path) => [path, path]),
		['/ADMIN/', '/admin'],
		['/user/asha@example.com', '/admin'],
		['/bookdashboard', '/Bookdashboard'],
	])('at %s', (pathname, path) => expect(currentOf(pathname)).toEqual([path]));
});

test('navigationFor marks the shared folders or the course as current only when that item is listed', () => {
	const marked = (pathname: string, dashboardShare: string) =>
		navigationFor('user', pathname, { dashboardShare }).flatMap(({ items }) =>
			items.filter(({ isCurrent }) => isCurrent).map(({ path }) => path),
		);
	const [folders, course] = ['/dashboard/book', '/dashboard/preview/book'];
	expect([marked(folders, folders), marked(course, course)]).toEqual([[folders], [course]]);
	expect([marked(course, folders), marked(folders, course)]).toEqual([[], []]);
});

test('navigationFor shows the number of pending orders beside the orders page', () => {
	const orders = navigationFor('admin', '/admin', { pendingOrders: 3 })[0]?.items.find(
		(item) => item.path === '/Bookdashboard',
	);
	expect(orders?.count).toEqual({ value: 3, label: '3 pending' });
});

test.each(['user', 'admin'] as const)('navigationFor counts unread messages beside the chat of the role %s', (role) => {
	const path = role === 'admin' ? '/admin/contact' : '/contact';
	const items = navigationFor(role, '/', { unreadChat: 2 }).flatMap((group) => group.items);
	expect(items.find((item) => item.path === path)?.count).toEqual({ value: 2, label: '2 unread' });
});
