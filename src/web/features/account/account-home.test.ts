import { expect, test } from 'vitest';
import { afterSignIn, homeOf } from './account-home.ts';

test('each role has its first screen', () => {
	expect(homeOf('admin')).toBe('/admin');
	expect(homeOf('user')).toBe('/dashboard');
});

test('an own screen that the role may see is gone back to', () => {
	expect(afterSignIn('admin', '/Bookdashboard?status=Pending')).toBe('/Bookdashboard?status=Pending');
	expect(afterSignIn('user', '/read/part-1-hi')).toBe('/read/part-1-hi');
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
])('%j is not heeded', (back) => expect(afterSignIn('admin', back)).toBe('/admin'));

test('a screen above the role is not gone back to', () => {
	expect(afterSignIn('user', '/admin')).toBe('/dashboard');
});
