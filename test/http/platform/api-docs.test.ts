import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHttpClient } from '../../support/app/http-client.ts';
import { createTestApp, type TestApp } from '../../support/app/test-app.ts';
import { makeUser, testPassword } from '../../support/app/users.ts';

let world: TestApp;

beforeAll(async () => {
	world = await createTestApp();
	await makeUser(world.deps, 'owner@example.com', 'admin');
});
afterAll(() => world.close());

/** Routes that serve pages and built files and are no API calls. */
const pages = new Set([
	'/*',
	'/assets/*',
	'/pdfjs/*',
	'/favicon.svg',
	'/social.png',
	'/icon-192.png',
	'/icon-512.png',
	'/icon-maskable-512.png',
	'/apple-touch-icon.png',
	'/offline.js',
	'/manifest.webmanifest',
	'/robots.txt',
	'/sitemap.xml',
	'/privacy',
	'/terms',
	'/refund',
	'/film/benefits',
	'/film/how-to-get',
	'/films/:name',
	'/openapi.json',
	'/docs',
]);

test('the OpenAPI description lists every registered route and no other', async () => {
	const owner = createHttpClient(world.app);
	await owner.signIn('owner@example.com', testPassword);
	const document = (await owner.call('GET', '/openapi.json')).json() as {
		paths: Record<string, Record<string, unknown>>;
	};
	const described = Object.entries(document.paths).flatMap(([path, item]) =>
		Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
	);

	const printed = world.app.routeList.filter(({ url }) => !pages.has(url));
	// Every GET route also answers HEAD, and only tus has a separate HEAD route.
	const calls = printed.filter(
		({ method, url }) => method !== 'HEAD' || !printed.some((other) => other.method === 'GET' && other.url === url),
	);
	const registered = calls.map(({ method, url }) => `${method} ${url.replace(/:(\w+)/gu, '{$1}')}`);

	expect(registered.length).toBeGreaterThan(30);
	expect(described.toSorted()).toEqual(registered.toSorted());
	expect((await owner.call('GET', '/docs')).body).toContain('/api/sign-in');
});
