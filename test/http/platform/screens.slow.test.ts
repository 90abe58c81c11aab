import { describe, expect, test } from 'vitest';
import { canSeeScreen, findScreen, type Screen, screens } from '#contract/core/screens.ts';
import { createHttpClient, type HttpClient } from '../../support/app/http-client.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { makeSignedInUser } from '../../support/app/users.ts';

const { testApp, admin: expired } = await openTestApp({}, 'expired@example.com');
testApp.clock.advance(31 * 24 * 3600);
const { client: member } = await makeSignedInUser(testApp, 'member@example.com');
const { client: admin } = await makeSignedInUser(testApp, 'admin@example.com', 'admin');
const { id: inactiveId, client: inactive } = await makeSignedInUser(testApp, 'inactive@example.com');
await admin.call('POST', `/api/users/${inactiveId}/active`, { active: false });
const visitors = { anonymous: createHttpClient(testApp.app), member, admin, inactive, expired };

const appShell = { status: 200, location: undefined };
const to = (location: string) => ({ status: 302, location });

/** Returns the status and redirect that a visitor must get according to the list of screens. */
function expectedResponse(screen: Screen, visitor: keyof typeof visitors, url: string) {
	if (screen.role === 'public') return appShell;
	if (visitor === 'inactive')
		return screen.path === '/dashboard' ? to('/login?reason=deactivated') : { status: 403, location: undefined };
	if (visitor === 'expired') return to(`/login?back=${encodeURIComponent(url)}`);
	const isFromMail = visitor === 'anonymous' && url.endsWith('&from=mail');
	if (isFromMail) return to(`/login?back=${encodeURIComponent(url)}`);
	if (visitor === 'anonymous') return to(screen.anonymous ?? '');
	return canSeeScreen(screen, visitor === 'admin' ? 'admin' : 'user') ? appShell : to(screen.denied ?? '');
}

const forms: Array<[string, (path: string) => string]> = [
	['as written', (path) => path],
	['in capitals', (path) => path.toUpperCase()],
	['with a slash', (path) => `${path}/`],
	['with a query', (path) => `${path}?email=a@b.c`],
	['from a mail', (path) => `${path}?person=a%40b.c&from=mail`],
];

describe.each(screens.filter(({ path }) => path !== '/'))('$path', (screen) => {
	test.each(['anonymous', 'member', 'admin', 'inactive', 'expired'] as const)(
		'responds to %s visitors as the list of screens specifies',
		async (visitor) => {
			for (const [form, write] of forms) {
				const url = write(screen.path.replace(/\$\w+/gu, 'someone'));
				const { statusCode, headers, body } = await visitors[visitor].call('GET', url);
				expect({ status: statusCode, location: headers.location }, form).toEqual(
					expectedResponse(screen, visitor, url),
				);
				if (statusCode !== 302) expect(body).toContain('<div id="root">');
				expect((await visitors[visitor].call('HEAD', url)).statusCode).toBe(statusCode);
			}
		},
	);
});

test('redirects visitors to the URLs in the specification', async () => {
	const whereTo = async (visitor: keyof typeof visitors, url: string) =>
		(await visitors[visitor].call('GET', url)).headers.location;
	expect(await whereTo('anonymous', '/admin')).toBe('/');
	expect(await whereTo('anonymous', '/dashboard')).toBe('/');
	expect(await whereTo('anonymous', '/bookdashboard')).toBe('/login');
	expect(await whereTo('member', '/Bookdashboard')).toBe('/unauthorized');
	expect(await whereTo('member', '/login-history')).toBe('/not-authorized');
	expect(await whereTo('member', '/user/other@example.com')).toBe('/unauthorized');
	expect(await whereTo('inactive', '/dashboard')).toBe('/login?reason=deactivated');
});

test('a link of a storefront page to a protected screen leads to sign-in with the reason', async () => {
	const whereTo = async (client: HttpClient, url: string, referer?: string) =>
		(await client.call('GET', url, undefined, { host: 'book.example', ...(referer && { referer }) })).headers.location;
	const { anonymous, member } = visitors;
	const home = 'http://book.example/';
	expect(await whereTo(anonymous, '/contact?from=page')).toBe('/login?reason=chat&back=%2Fcontact%3Ffrom%3Dpage');
	expect(await whereTo(anonymous, '/dashboard?from=page')).toBe('/login?reason=page&back=%2Fdashboard%3Ffrom%3Dpage');
	for (const page of ['', 'privacy', 'order/secret', 'video/gain?lang=hi']) {
		expect(await whereTo(anonymous, '/contact', home + page)).toBe('/login?reason=chat&back=%2Fcontact');
		expect(await whereTo(anonymous, '/admin/visitor', home + page)).toBe('/login?reason=page&back=%2Fadmin%2Fvisitor');
		expect(await whereTo(anonymous, '/bookdashboard', home + page)).toBe('/login?reason=page&back=%2Fbookdashboard');
	}
	expect(await whereTo(anonymous, '/contact', `${home}dashboard`)).toBe('/');
	expect(await whereTo(anonymous, '/contact', 'https://other.example/')).toBe('/');
	expect(await whereTo(anonymous, '/contact', 'no address')).toBe('/');
	expect(await whereTo(member, '/contact?from=page', home)).toBeUndefined();
});

test('a page without JavaScript says why, and how to reach the seller', async () => {
	const contact = { email: 'asha@example.com', phone: '+91 98 <1>', version: 0 };
	expect((await admin.call('PUT', '/api/settings/contact-info', contact)).statusCode).toBe(200);
	const { body } = await visitors.anonymous.call('GET', '/login?reason=chat&back=%2Fcontact');
	const shown = /<noscript>.*<\/noscript>/u.exec(body)?.[0];
	expect(shown).toContain('The chat is for readers with a login.');
	expect(shown).toContain('<p>asha@example.com</p><p>+91 98 &lt;1&gt;</p><p><a href="/">');
});

test.each([
	'/nowhere',
	'//admin',
	'///admin',
	'//login',
	'//user/a@b.c',
	'/admin//',
	'/admin/nowhere',
	'/user',
	'/dashboard/book/more',
	'/api',
	'/Api/orders',
])('returns 404 with the app shell for the unknown URL %s', async (url) => {
	for (const client of Object.values(visitors)) {
		const { statusCode, headers, body } = await client.call('GET', url);
		expect(statusCode).toBe(404);
		expect(headers['content-type']).toContain('text/html');
		expect(body).toContain('<div id="root">');
	}
	expect(findScreen(url)).toBeUndefined();
});

test.each(['/api/nowhere', '/assets/nothing.js', '/pdfjs/nothing.js'])(
	'returns 404 as JSON for the unknown API call or file %s',
	async (url) => {
		const response = await visitors.admin.call('GET', url);
		expect(response.statusCode).toBe(404);
		expect(response.json()).toMatchObject({ code: 'NOT_FOUND', message: 'Not found.' });
	},
);

test('?lang= sets the language of this request and of later requests', async () => {
	const client = createHttpClient(testApp.app);
	expect((await client.call('GET', '/login')).body).toContain('<html lang="en">');
	expect((await client.call('GET', '/login?lang=hi')).body).toContain('<html lang="hi">');
	expect((await client.call('GET', '/forget')).body).toContain('<html lang="hi">');
	const refused = await client.call('POST', '/api/sign-in', { email: 'nobody@example.com', password: 'x' });
	expect(refused.json().message).toMatch(/\p{Script=Devanagari}/u);
	await client.call('GET', '/?lang=en');
	expect((await client.call('GET', '/login?lang=fr')).body).toContain('<html lang="en">');
});

test('each page has a strict content security policy, and each response with the app shell has a new nonce', async () => {
	const first = (await visitors.anonymous.call('GET', '/login')).headers['content-security-policy'];
	const second = (await visitors.anonymous.call('GET', '/login')).headers['content-security-policy'];
	expect(first).toMatch(/script-src 'self' 'wasm-unsafe-eval';/u);
	expect(first).toMatch(/style-src 'self' 'nonce-[\w+/=]{20,}'/u);
	expect(second).not.toBe(first);
	for (const url of ['/', '/login', '/nowhere', '/api/me', '/api/nowhere', '/healthz', '/assets/nothing.js']) {
		const { headers } = await visitors.anonymous.call('GET', url);
		expect(headers, url).toMatchObject({
			'x-content-type-options': 'nosniff',
			'cross-origin-resource-policy': 'same-origin',
		});
		expect(headers['content-security-policy']).toContain("frame-ancestors 'self'");
		expect(headers['content-security-policy']).not.toContain("script-src 'unsafe");
		expect(headers).not.toHaveProperty('access-control-allow-origin');
	}
});

test('health checks are public, and metrics are returned only to requests from the same machine', async () => {
	expect((await visitors.anonymous.call('GET', '/healthz')).json()).toEqual({ status: 'ok' });
	expect((await visitors.anonymous.call('GET', '/readyz')).json()).toEqual({ database: 'ok', storage: 'ok' });
	expect((await visitors.admin.call('GET', '/metrics')).statusCode).toBe(404);
	const local = await createHttpClient(testApp.app, '127.0.0.1').call('GET', '/metrics');
	expect(local.statusCode).toBe(200);
	expect(local.body).toContain('folio_http_request_seconds_count');
	// A proxy on the same machine forwards requests from other machines.
	for (const header of ['x-forwarded-for', 'x-real-ip', 'forwarded']) {
		const proxy = createHttpClient(testApp.app, '127.0.0.1');
		const forwarded = await proxy.call('GET', '/metrics', undefined, { [header]: '203.0.113.7' });
		expect(forwarded.statusCode, header).toBe(404);
	}
});

test.each(['/%', '/api/files/%zz/content', `/api/files/${'a'.repeat(3000)}/content`, '/api/files/%00/content'])(
	'returns a client error for the invalid URL %s',
	async (url) => {
		const { statusCode, body } = await visitors.admin.call('GET', url);
		expect(statusCode).toBeGreaterThanOrEqual(400);
		expect(statusCode).toBeLessThan(500);
		expect(JSON.parse(body)).toHaveProperty('code');
	},
);
