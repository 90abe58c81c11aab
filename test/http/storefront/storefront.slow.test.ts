import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { legalPages } from '#contract/storefront/landing.ts';
import { createHttpClient } from '../../support/app/http-client.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { createTestApp } from '../../support/app/test-app.ts';
import { makeSignedInUser } from '../../support/app/users.ts';
import { saveBook } from '../../support/fixtures/book.ts';
import { publishFields } from '../../support/storefront/storefront.ts';

const { testApp, admin } = await openTestApp();

const unreadable = await createTestApp();
afterAll(() => unreadable.close());
await unreadable.deps.db.schema.dropTable('settings').execute();

const visit = (url: string) => createHttpClient(testApp.app).call('GET', url);

test('legal pages contain the text of the owner, if necessary in the other language, or otherwise the default text', async () => {
	const write = (refund: { en: string; hi: string }) => publishFields(admin, { 'legal.refund': refund });
	await write({ en: 'No refunds.', hi: '' });
	expect((await visit('/refund')).body).toContain('<p>No refunds.</p>');
	expect((await visit('/refund?lang=hi')).body).toContain('<p lang="en">No refunds.</p>');
	await write({ en: '', hi: 'कोई वापसी नहीं।' });
	expect((await visit('/refund?lang=en')).body).toContain('<p lang="hi">कोई वापसी नहीं।</p>');
	await write({ en: '', hi: '' });
	expect((await visit('/refund?lang=en')).body).toContain('We want nobody to pay for nothing.');
	expect((await visit('/refund?lang=hi')).body).toContain('हम चाहते हैं कि कोई भी बेकार में पैसे न दे।');
});

test.each([
	['/refund', 'We want nobody to pay for nothing.'],
	['/', 'src="/films/benefits.'],
	['/film/benefits', 'src="/films/benefits.'],
])('%s contains the default text and videos when the settings cannot be read', async (url, shown) => {
	const answer = await createHttpClient(unreadable.app).call('GET', url);
	expect(answer.statusCode).toBe(200);
	expect(answer.body).toContain(shown);
});

describe('search engines', () => {
	test('are not allowed to index API calls and screens that require a session, but may index public pages', async () => {
		const { body, headers } = await visit('/robots.txt');
		expect(headers['content-type']).toBe('text/plain; charset=utf-8');
		const closed = [...body.matchAll(/^Disallow: (.+)$/gmu)].map(([, prefix]) => prefix ?? '');
		const isClosed = (url: string) => closed.some((prefix) => url.startsWith(prefix));
		for (const url of ['/admin', '/dashboard', '/account', '/read/part-1-en', '/user/a@b.c', '/api/book'])
			expect(isClosed(url), url).toBe(true);
		for (const url of ['/', '/?lang=hi', ...legalPages.map((page) => `/${page}`), '/assets/x.css', '/social.png'])
			expect(isClosed(url), url).toBe(false);
		expect(body).toContain('Sitemap: http://folio.test/sitemap.xml');
	});

	test('find each public page in both languages in the sitemap', async () => {
		const { body, headers } = await visit('/sitemap.xml');
		expect(headers['content-type']).toBe('application/xml; charset=utf-8');
		const found = [...body.matchAll(/<loc>([^<]+)<\/loc>/gu)].map(([, address]) => address ?? '');
		expect(found).toHaveLength(8);
		for (const address of found) {
			const { statusCode, body: page } = await visit(address.replace('http://folio.test', ''));
			expect([statusCode, page.includes(`<link rel="canonical" href="${address}"/>`)], address).toEqual([200, true]);
		}
	});
});

test('the web app manifest has the title of the book and the language of the visitor', async () => {
	const english = await visit('/manifest.webmanifest');
	expect(english.headers['content-type']).toBe('application/manifest+json; charset=utf-8');
	const start = { id: '/dashboard', start_url: '/dashboard', scope: '/', display: 'standalone' };
	expect(english.json()).toMatchObject({ ...start, lang: 'en', name: 'Build Your Empire' });
	const hindi = await testApp.app.inject({ url: '/manifest.webmanifest', headers: { cookie: 'lang=hi' } });
	expect(hindi.json()).toMatchObject({ lang: 'hi', name: expect.stringMatching(/[\u0900-\u097f]/u) });
	const icons = (english.json() as { icons: { src: string; purpose?: string }[] }).icons;
	expect(icons.map(({ purpose }) => purpose)).toContain('maskable');
	for (const { src } of icons) expect(testApp.app.routeList).toContainEqual(expect.objectContaining({ url: src }));

	await saveBook(admin, { title: 'Small Shops' });
	expect((await visit('/manifest.webmanifest')).json()).toMatchObject({ name: 'Small Shops' });
});

test('the dashboard links to the web app manifest, and the landing page does not', async () => {
	const { client } = await makeSignedInUser(testApp, 'member@example.com');
	expect((await client.call('GET', '/dashboard')).body).toContain('rel="manifest"');
	const landing = (await visit('/')).body;
	expect(landing).toContain('<title>');
	expect(landing).not.toMatch(/manifest|offline\.js|serviceWorker/u);
});

describe('the precompressed landing page', () => {
	const getLanding = (headers: Record<string, string> = {}, query = '') =>
		testApp.app.inject({ method: 'GET', url: `/${query}`, headers });

	test.each([
		['br', 'gzip, deflate, br;q=0.9', brotliDecompressSync],
		['gzip', 'gzip', gunzipSync],
		['gzip', 'br;q=0, gzip', gunzipSync],
		[undefined, 'br;q=0.0', (body: Buffer) => body],
		[undefined, '', (body: Buffer) => body],
	])('has the encoding %s for Accept-Encoding %j', async (encoding, accepted, unpack) => {
		for (const [cookie, lang] of [
			['', 'en'],
			['lang=hi', 'hi'],
			['lang=hi; other=1', 'hi'],
		] as const) {
			const answer = await getLanding({ 'accept-encoding': accepted, ...(cookie !== '' && { cookie }) });
			expect(answer.statusCode).toBe(200);
			expect(answer.headers['content-encoding']).toBe(encoding);
			expect(answer.headers).toMatchObject({
				'x-content-type-options': 'nosniff',
				'cache-control': 'no-cache',
				'content-type': 'text/html; charset=utf-8',
				'content-length': String(answer.rawPayload.length),
				etag: expect.stringMatching(/^W\/"[\w-]{43}"$/u),
				vary: 'accept-encoding, accept-language, cookie, user-agent',
			});
			expect(unpack(answer.rawPayload).toString('utf8')).toContain(`<html lang="${lang}"`);
		}
	});

	test('returns 304 for the current ETag, and the new page after the settings have changed, and the metrics count both responses', async () => {
		const countIn = async (status: number) => {
			const line = `folio_http_request_seconds_count{route="/",method="GET",status="${status}"} `;
			return Number((await testApp.app.inject('/metrics')).body.split(line)[1]?.split('\n')[0] ?? 0);
		};
		const counts = () => Promise.all([countIn(200), countIn(304)]);
		const [pages = 0, unchangedPages = 0] = await counts();
		const { headers } = await getLanding();
		const again = { 'if-none-match': String(headers.etag) };
		const unchanged = await getLanding(again);
		expect([unchanged.statusCode, unchanged.rawPayload.length]).toEqual([304, 0]);
		expect((await getLanding({ ...again, cookie: 'lang=hi' })).statusCode).toBe(200);
		await publishFields(admin, { 'links.social': [{ label: 'Newest', url: 'https://newest.example/' }] });
		const changed = await getLanding(again);
		expect(changed.statusCode).toBe(200);
		for (const { body } of [changed, await visit('/privacy')]) expect(body).toContain('href="https://newest.example/"');
		await expect.poll(counts).toEqual([pages + 3, unchangedPages + 1]);
	});
});

test('cached pages show the new year from its first second in the business time zone', async () => {
	const newYearInIndia = Date.parse('2026-12-31T18:30:00Z');
	testApp.clock.advance((newYearInIndia - testApp.clock.now().getTime()) / 1000 - 1);
	expect((await visit('/terms')).body).toContain('© 2026');
	testApp.clock.advance(1);
	expect((await visit('/terms')).body).toContain('© 2027');
});
