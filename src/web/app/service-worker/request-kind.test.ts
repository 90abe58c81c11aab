import { expect, test } from 'vitest';
import { classifyRequest } from './request-kind.ts';

const origin = 'https://books.example';
const kindOf = (path: string, { method = 'GET', mode = 'cors', range = false } = {}) =>
	classifyRequest(
		{ method, mode, url: new URL(path, origin).href, headers: new Headers(range ? { range: 'bytes=0-1' } : {}) },
		origin,
	);

test.each([
	['/dashboard', 'page'],
	['/dashboard?path=a', 'page'],
	['/read/part-1-en', 'page'],
	['/Read/part-1-en', 'page'],
	['/', null],
	['/login', null],
	['/order/abc', null],
	['/dashboard/book', null],
	['/admin', null],
	['/api/editions/part-1-en/content?v=1', null],
	['/api/me/export', null],
])('classifyRequest classifies a navigation to %s as %s', (path, kind) => {
	expect(kindOf(path, { mode: 'navigate', range: true })).toBe(kind);
});

test.each([
	['/api/me', 'call'],
	['/api/shelf', 'call'],
	['/api/outline-pairs', 'call'],
	['/api/settings/outline-pairs', null],
	['/api/reading/part-2-hi', 'call'],
	['/api/reading/part-12-mr', 'call'],
	['/api/reading/part-1-en-x', null],
	['/api/reading/0199-a-file-of-ones-own', null],
	['/api/events', null],
	['/api/orders', null],
	['/api/files/a/content', null],
	['/assets/main-abc.js', 'asset'],
	['/pdfjs/6.0.0/wasm/openjpeg.wasm', 'asset'],
	['https://elsewhere.example/api/me', null],
])('classifyRequest classifies a GET of %s as %s, and returns null for other methods', (path, kind) => {
	expect(kindOf(path)).toBe(kind);
	for (const method of ['POST', 'PUT', 'HEAD', 'DELETE', 'PATCH']) expect(kindOf(path, { method })).toBe(null);
});

test('classifyRequest returns bytes only for range requests that have a version and are not downloads', () => {
	const path = '/api/editions/part-1-en/content';
	expect(kindOf(`${path}?v=1`, { range: true })).toBe('bytes');
	expect(kindOf(`${path}?v=1`)).toBe(null);
	expect(kindOf(path, { range: true })).toBe(null);
	expect(kindOf(`${path}?v=1&download=1`, { range: true })).toBe(null);
});
