import { expect, test } from 'vitest';
import { homePath, pathAfterSignIn } from './home-path.ts';

test('each role has its first screen', () => {
	expect(homePath('admin')).toBe('/admin');
	expect(homePath('user')).toBe('/dashboard');
});

test('an own screen that the role may see is gone back to', () => {
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
])('%j is not heeded', (back) => expect(pathAfterSignIn('admin', back)).toBe('/admin'));

test('a screen above the role is not gone back to', () => {
	expect(pathAfterSignIn('user', '/admin')).toBe('/dashboard');
});
