import { expect, test } from 'vitest';
import { openTestApp } from '../../support/app/shared-test-app.ts';

const { testApp, admin } = await openTestApp();

/** The API description omits the routes of pages and of built files. */
const pages = new Set([
	...['/*', '/assets/*', '/pdfjs/*', '/offline.js', '/manifest.webmanifest', '/robots.txt', '/sitemap.xml'],
	...['/favicon.svg', '/social.png', '/icon-192.png', '/icon-512.png', '/icon-maskable-512.png'],
	...['/book.svg', '/book-180.png', '/book-192.png', '/book-512.png'],
	...['/apple-touch-icon.png', '/privacy', '/terms', '/refund', '/film/benefits', '/film/how-to-get', '/films/:name'],
	...['/openapi.json', '/docs'],
]);

test('the OpenAPI description contains exactly the registered routes', async () => {
	const { paths }: { paths: Record<string, object> } = (await admin.call('GET', '/openapi.json')).json();
	const described = Object.entries(paths).flatMap(([path, item]) =>
		Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
	);

	const routes = testApp.app.routeList.filter(({ url }) => !pages.has(url));
	// Every GET route also accepts HEAD. Only tus has a HEAD route without a GET route.
	const calls = routes.filter(
		({ method, url }) => method !== 'HEAD' || !routes.some((route) => route.method === 'GET' && route.url === url),
	);
	const registered = calls.map(({ method, url }) => `${method} ${url.replace(/:(\w+)/gu, '{$1}')}`);

	expect(registered.length).toBeGreaterThan(30);
	expect(described.toSorted()).toEqual(registered.toSorted());
	expect((await admin.call('GET', '/docs')).body).toContain('/api/sign-in');
});
