import { expect, test } from 'vitest';
import { homePath, pathAfterSignIn } from './screens.ts';

test('homePath returns the first screen of each role', () => {
	expect(homePath('admin')).toBe('/admin');
	expect(homePath('user')).toBe('/dashboard');
});

test('pathAfterSignIn returns the requested screen when the role may see it', () => {
	expect(pathAfterSignIn('admin', '/Bookdashboard?status=Pending')).toBe('/Bookdashboard?status=Pending');
	expect(pathAfterSignIn('user', '/read/part-1-hi')).toBe('/read/part-1-hi');
});

test.each([
	undefined,
	'',
	'https://evil.example/admin',
	'//evil.example/dashboard',
	'/\\evil.example/dashboard',
	'/\t/evil.example/dashboard',
	'/nowhere',
	'/login',
	'/',
	'javascript:alert(1)',
])('pathAfterSignIn ignores the requested path %j', (path) => expect(pathAfterSignIn('admin', path)).toBe('/admin'));

test('pathAfterSignIn ignores a screen that the role may not see', () => {
	expect(pathAfterSignIn('user', '/admin')).toBe('/dashboard');
});
