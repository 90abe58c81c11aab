import { describe, expect, test } from 'vitest';
import { navigationFor } from './navigation.ts';

const pathsOf = (role: 'user' | 'admin', here = '/', dashboardShare = '/dashboard/book') =>
	navigationFor(role, here, { dashboardShare }).flatMap((group) => group.items.map((item) => item.path));
const currentOf = (here: string) =>
	navigationFor('admin', here)
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
		['/admin', '/admin'],
		['/ADMIN/', '/admin'],
		['/user/asha@example.com', '/admin'],
		['/user/guest', '/user/guest'],
		['/user/book', '/user/book'],
		['/share-folders', '/share-folders'],
		['/shared', '/shared'],
		['/user-share-btn', '/user-share-btn'],
		['/login-history', '/login-history'],
		['/admin/audit', '/admin/audit'],
		['/admin/storage', '/admin/storage'],
		['/bookdashboard', '/Bookdashboard'],
		['/admin/contact', '/admin/contact'],
		['/admin/storefront', '/admin/storefront'],
		['/admin/credentials', '/admin/credentials'],
		['/delete-user', '/delete-user'],
	])('at %s', (here, path) => expect(currentOf(here)).toEqual([path]));
});

test('navigationFor marks the shared folders or the course as current only when that item is listed', () => {
	const marked = (here: string, dashboardShare: string) =>
		navigationFor('user', here, { dashboardShare }).flatMap(({ items }) =>
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
