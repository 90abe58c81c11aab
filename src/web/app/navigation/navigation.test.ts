import { describe, expect, test } from 'vitest';
import { screens } from '#contract/core/screens.ts';
import { navigationFor } from './navigation.ts';

const pathsOf = (role: 'user' | 'admin', pathname = '/', dashboardShare = '/dashboard/book') =>
	navigationFor(role, pathname, { dashboardShare }).flatMap((group) => group.items.map((item) => item.path));
const currentOf = (pathname: string) =>
	navigationFor('admin', pathname)
		.flatMap((group) => group.items)
		.filter((item) => item.isCurrent)
		.map((item) => item.path);

test('navigationFor lists all admin screens and the spaces guest and book for an admin, and three screens for a member', () => {
	const adminPaths = screens.filter(({ role }) => role === 'admin').map(({ path }) => path);
	const listedPaths = adminPaths.filter((path) => !path.includes('$'));
	expect(pathsOf('admin').toSorted()).toEqual([...listedPaths, '/user/guest', '/user/book'].toSorted());
	expect(pathsOf('admin').slice(0, 3)).toEqual(['/admin', '/Bookdashboard', '/admin/contact']);
	expect(pathsOf('user')).toEqual(['/dashboard', '/dashboard/book', '/contact']);
});

describe('navigationFor for an admin', () => {
	test.each([
		...pathsOf('admin').map((path) => [path, path]),
		['/ADMIN/', '/admin'],
		['/user/asha@example.com', '/admin'],
		['/bookdashboard', '/Bookdashboard'],
	])('marks at %s only the item %s as current', (pathname, path) => expect(currentOf(pathname)).toEqual([path]));
});

test('navigationFor marks the shared folders or the course as current only if the dashboard button opens that screen', () => {
	const marked = (pathname: string, dashboardShare: string) =>
		navigationFor('user', pathname, { dashboardShare }).flatMap(({ items }) =>
			items.filter(({ isCurrent }) => isCurrent).map(({ path }) => path),
		);
	const [folders, course] = ['/dashboard/book', '/dashboard/preview/book'];
	expect([marked(folders, folders), marked(course, course)]).toEqual([[folders], [course]]);
	expect([marked(course, folders), marked(folders, course)]).toEqual([[], []]);
});

test.each([
	['admin', '/Bookdashboard', { count: 3, label: '3 pending' }],
	['admin', '/admin/contact', { count: 2, label: '2 unread' }],
	['user', '/contact', { count: 2, label: '2 unread' }],
] as const)('navigationFor returns for the role %s the item %s with its count', (role, path, count) => {
	const items = navigationFor(role, '/', { pendingOrders: 3, unreadChat: 2 }).flatMap((group) => group.items);
	expect(items.find((item) => item.path === path)?.count).toEqual(count);
});
