import { beforeEach, describe, expect, test } from 'vitest';
import { otherReferrers, visitDefaults } from '#contract/storefront/visits.ts';
import { checkIntegrity, collectGarbage } from '#server/features/maintenance/tasks/tasks.service.ts';
import { writeVisits } from '#server/features/storefront/visits/visit-writer.ts';
import { isoAt } from '#server/platform/clock.ts';
import { dumpDatabase } from '../../support/app/database-dump.ts';
import { createHttpClient, type HttpClient } from '../../support/app/http-client.ts';
import { readPages } from '../../support/app/lists.ts';
import { openSecondProcess, openTestApp } from '../../support/app/shared-test-app.ts';
import type { TestApp } from '../../support/app/test-app.ts';
import { makeSignedInUser, makeUser, testPassword } from '../../support/app/users.ts';
import { makeOrder } from '../../support/fixtures/orders.ts';

const chrome =
	'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36';
const googlebot = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const daySeconds = 24 * 3600;

const { testApp, admin } = await openTestApp();
const { client: member } = await makeSignedInUser(testApp, 'member@example.com');

beforeEach(async () => {
	const { db } = testApp.deps;
	for (const table of ['visits', 'visit_addresses', 'visit_days', 'visit_sources', 'rate_limits'] as const)
		await db.deleteFrom(table).execute();
	await db.updateTable('visit_sums').set({ addresses: 0 }).execute();
	await db.deleteFrom('settings').where('key', '=', 'visits').execute();
});

interface VisitReport {
	event?: string;
	page?: string;
	referrer?: string;
	headers?: Record<string, string>;
	client?: HttpClient;
	to?: TestApp;
}

/** Advances the clock and signs in again, because the session may have expired. */
async function passDays(days: number) {
	testApp.clock.advance(days * daySeconds);
	await admin.signIn('admin@example.com', testPassword);
}
function reportVisit(
	ip: string,
	{ event = 'visit', page = '/', referrer = '', headers = {}, client, to = testApp }: VisitReport = {},
) {
	const visitor = client ?? createHttpClient(to.app, ip);
	return visitor.call('POST', '/api/visits', { event, page, referrer }, { 'user-agent': chrome, ...headers });
}
const reportVisits = (ip: string, count: number, report: VisitReport = {}) =>
	Promise.all(Array.from({ length: count }, () => reportVisit(ip, report)));
const summary = async (days = 30) => (await admin.call('GET', `/api/visits-summary?days=${days}`)).json();
const addresses = async () => (await admin.call('GET', '/api/visit-addresses')).json();
const counts = async () => {
	const { items } = await addresses();
	return Object.fromEntries(items.map(({ ip, visits }: { ip: string; visits: number }) => [ip, visits]));
};
async function save(changes: Partial<typeof visitDefaults>) {
	const { version } = (await admin.call('GET', '/api/settings/visits')).json();
	const saved = await admin.call('PUT', '/api/settings/visits', { ...visitDefaults, ...changes, version });
	expect(saved.statusCode).toBe(200);
	await testApp.runDueWork();
}
/** Compares the stored counts with the visits. */
const expectTrueCounts = async () => expect((await checkIntegrity(testApp.deps)).problems).toEqual([]);

describe('POST /api/visits', () => {
	test('stores address, time, page and referrer of a visit, and counts the visit in the totals', async () => {
		const answer = await reportVisit('198.51.100.7', { page: '/?lang=hi', referrer: 'https://www.instagram.com' });
		expect(answer.statusCode).toBe(200);
		expect(answer.json()).toEqual({});
		await Promise.all([reportVisits('198.51.100.7', 2), reportVisit('2001:db8::9')]);
		const rows = await testApp.deps.db.selectFrom('visits').selectAll().where('page', '=', '/?lang=hi').execute();
		expect(rows).toEqual([
			{
				id: expect.any(String),
				visited_at: isoAt(testApp.clock),
				ip: '198.51.100.7',
				page: '/?lang=hi',
				referrer: 'https://www.instagram.com',
				kind: 'person',
			},
		]);
		const { days, ...rest } = await summary();
		expect(days).toHaveLength(30);
		expect(days[0]).toEqual({ day: '2026-10-22', visits: 0 });
		expect(days.at(-1)).toEqual({ day: '2026-11-20', visits: 4 });
		expect(rest).toMatchObject({
			totalVisits: 4,
			uniqueVisitors: 2,
			pages: [
				{ page: '/', visits: 3 },
				{ page: '/?lang=hi', visits: 1 },
			],
			referrers: [
				{ referrer: '', visits: 3 },
				{ referrer: 'https://www.instagram.com', visits: 1 },
			],
		});
		expect((await addresses()).items[0]).toEqual({ ip: '198.51.100.7', visits: 3, lastVisitAt: isoAt(testApp.clock) });
		await expectTrueCounts();
	});

	test('stores only the origin of a referrer, and no referrer that is a page of the site itself or an invalid URL', async () => {
		const referrers = [
			'https://news.example/a/secret?token=1#x',
			'http://user:word@plain.example:8080/x',
			'http://folio.test/terms',
			'javascript:alert(1)',
			'<script>',
			`https://${'a'.repeat(250)}.example`,
		];
		await Promise.all(referrers.map((referrer) => reportVisit('198.51.100.1', { referrer })));
		expect((await summary()).referrers).toEqual([
			{ referrer: '', visits: 4 },
			{ referrer: 'http://plain.example:8080', visits: 1 },
			{ referrer: 'https://news.example', visits: 1 },
		]);
	});

	test.each([
		['a page that is not counted', { page: '/admin' }],
		['an unknown event', { event: 'sale' }],
		['a referrer that is not text', { referrer: 7 as never }],
		['a referrer of 20 KB', { referrer: 'x'.repeat(20_000) }],
	])('returns 422 and stores nothing for %s', async (_what, report) => {
		const before = await dumpDatabase(testApp.deps);
		expect((await reportVisit('198.51.100.1', report)).statusCode).toBe(422);
		expect(await dumpDatabase(testApp.deps)).toEqual(before);
	});

	test('counts a visit on its day in the business time zone', async () => {
		// In India, 18:29 UTC is before midnight, and 18:31 UTC is after midnight.
		testApp.clock.advance((14 * 60 + 47) * 60);
		await reportVisit('198.51.100.1');
		testApp.clock.advance(120);
		await reportVisit('198.51.100.1');
		const { days } = await summary(2);
		expect(days).toEqual([
			{ day: '2026-11-20', visits: 1 },
			{ day: '2026-11-21', visits: 1 },
		]);
		testApp.clock.advance(-(14 * 60 + 49) * 60);
	});
});

test('uses the address that a trusted proxy adds to X-Forwarded-For, and ignores spoofed addresses', async () => {
	const to = await openSecondProcess(testApp, { TRUST_PROXY: '203.0.113.99' });
	const reports = ['192.0.2.1, ', '192.0.2.2, ', ''].map((spoofed) =>
		reportVisit('203.0.113.99', { to, headers: { 'x-forwarded-for': `${spoofed}198.51.100.9` } }),
	);
	const other = reportVisit('198.51.100.10', { to, headers: { 'x-forwarded-for': '192.0.2.3' } });
	await Promise.all([...reports, other]);
	expect(await counts()).toEqual({ '198.51.100.9': 3, '198.51.100.10': 1 });
});

describe('visits of bots and of the owner', () => {
	test('are not recorded by default, unlike visits of a member', async () => {
		const bots = [googlebot, 'curl/8.5.0', 'python-requests/2.31', '', 'facebookexternalhit/1.1'];
		const reports = bots.map((userAgent) => reportVisit('198.51.100.1', { headers: { 'user-agent': userAgent } }));
		const own = [reportVisit('', { client: admin }), reportVisit('', { client: admin, event: 'form' })];
		for (const { statusCode } of await Promise.all([...reports, ...own])) expect(statusCode).toBe(200);
		expect(await summary()).toMatchObject({ totalVisits: 0, uniqueVisitors: 0, funnel: { formsBegun: 0 } });
		expect(await testApp.deps.db.selectFrom('visits').selectAll().execute()).toEqual([]);
		await reportVisit('', { client: member });
		expect(await summary()).toMatchObject({ totalVisits: 1 });
	});

	test('are recorded with their kind when the settings include them', async () => {
		await save({ leavesOutBots: false, leavesOutOwn: false });
		const fromBot = { headers: { 'user-agent': googlebot } };
		await Promise.all([reportVisit('198.51.100.1', fromBot), reportVisit('', { client: admin })]);
		const rows = await testApp.deps.db.selectFrom('visits').select('kind').orderBy('kind').execute();
		expect(rows).toEqual([{ kind: 'bot' }, { kind: 'own' }]);
		await save({ leavesOutBots: true, leavesOutOwn: false });
		await reportVisit('198.51.100.1', fromBot);
		expect((await summary()).totalVisits).toBe(2);
	});
});

describe('many visits', () => {
	test('are all counted when two servers record them at the same time', async () => {
		const secondApp = await openSecondProcess(testApp);
		const reports = Array.from({ length: 600 }, (_visit, i) => {
			const to = i % 2 === 0 ? testApp : secondApp;
			return reportVisit(`198.51.${i % 7}.${i % 90}`, { to, referrer: `https://site-${i % 5}.example` });
		});
		expect(new Set((await Promise.all(reports)).map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
		expect(await summary()).toMatchObject({ totalVisits: 600 });
		await expectTrueCounts();
		expect((await summary()).referrers).toHaveLength(5);
	});

	test('from an IP address or IPv6 network are recorded only up to the daily limit', async () => {
		const to = await openSecondProcess(testApp, { RATE_LIMIT_FACTOR: 10 / 20_000 });
		const fromNetwork = Array.from({ length: 12 }, (_visit, i) => reportVisit(`2001:db8::${i + 1}`, { to }));
		const other = reportVisit('198.51.100.2', { to });
		await Promise.all([reportVisits('198.51.100.1', 25, { to }), ...fromNetwork, other]);
		expect((await summary()).totalVisits).toBe(21);
		expect(await counts()).toMatchObject({ '198.51.100.1': 10, '198.51.100.2': 1 });
		testApp.clock.advance(daySeconds + 1);
		await reportVisit('198.51.100.1', { to });
		expect(await counts()).toMatchObject({ '198.51.100.1': 11 });
		await expectTrueCounts();
	});

	test('with 600 different referrers have 500 rows, and the remaining visits share a row', async () => {
		const batch = (from: number, count: number) => {
			const referrers = Array.from({ length: count }, (_visit, i) => `https://made-up-${from + i}.example`);
			return Promise.all(referrers.map((referrer) => reportVisit('198.51.100.1', { referrer })));
		};
		await batch(0, 480);
		await batch(480, 120);
		await batch(590, 20);
		const sources = testApp.deps.db.selectFrom('visit_sources').select(['value', 'visits']);
		const rows = await sources.where('kind', '=', 'referrer').execute();
		expect(rows).toHaveLength(501);
		expect(rows.find(({ value }) => value === otherReferrers)?.visits).toBe(120);
		expect((await summary()).totalVisits).toBe(620);
	});
});

describe('GET /api/visit-addresses', () => {
	beforeEach(async () => {
		const visits = Array.from({ length: 9 }, (_address, i) => reportVisits(`198.51.100.${i}`, i < 4 ? 2 : 1));
		await Promise.all(visits);
	});

	test.each(['visits', 'ip'])('lists each address once across pages, sorted by %s', async (sort) => {
		const pages = await readPages<{ ip: string; visits: number }>(admin, `/api/visit-addresses?sort=${sort}&limit=2`);
		for (const page of pages) expect(page).toMatchObject({ total: 9 });
		const seen = pages.flatMap(({ items }) => items);
		const byIp = seen.toSorted((a, b) => (a.ip < b.ip ? -1 : 1));
		const expected = sort === 'ip' ? byIp : byIp.toReversed().toSorted((a, b) => b.visits - a.visits);
		expect(seen).toEqual(expected);
		expect(seen).toHaveLength(9);
	});
});

test('the funnel counts visits, started forms, orders and Complete orders', async () => {
	const buy = async (email: string) =>
		(await makeOrder(testApp.deps, { userId: await makeUser(testApp.deps, email), email })).id;
	await reportVisits('198.51.100.1', 5);
	await reportVisits('198.51.100.1', 2, { event: 'form' });
	await buy('pending@example.com');
	const done = await buy('complete@example.com');
	await testApp.deps.db.updateTable('orders').set({ status: 'Complete' }).where('id', '=', done).execute();
	expect((await summary()).funnel).toEqual({ visits: 5, formsBegun: 2, proofsSent: 2, verified: 1 });
	await passDays(40);
	expect((await summary()).funnel).toEqual({ visits: 0, formsBegun: 0, proofsSent: 0, verified: 0 });
	expect((await summary(90)).funnel).toMatchObject({ visits: 5, proofsSent: 2 });
	expect((await summary()).totalVisits).toBe(5);
	await passDays(-40);
});

describe('the stored visits', () => {
	test('have addresses that are shortened to networks when the owner turns this on, also for earlier visits', async () => {
		const others = ['198.51.100.0', '2001:db8:1:2::9', '2001:db8:1:ffff::1', 'Unknown'].map((ip) => reportVisit(ip));
		await Promise.all([reportVisits('198.51.100.7', 3), reportVisits('198.51.100.200', 2), ...others]);
		await save({ isShortened: true });
		const [entry] = (await admin.call('GET', '/api/audit?kind=settings&limit=1')).json().items;
		expect(entry).toMatchObject({ action: 'visit-settings-saved' });
		expect(await counts()).toEqual({ '198.51.100.0': 6, '2001:db8:1::': 2, Unknown: 1 });
		await expectTrueCounts();
		await reportVisit('198.51.100.99');
		expect(await counts()).toMatchObject({ '198.51.100.0': 7 });
		expect(await summary()).toMatchObject({ totalVisits: 10, uniqueVisitors: 3 });
		await expectTrueCounts();
	});

	test('have all addresses shortened, also when there are more than 2,000 visits', async () => {
		const { db } = testApp.deps;
		const ips = [
			...Array.from({ length: 2300 }, () => '198.51.100.5'),
			...Array.from({ length: 298 }, (_ip, i) => `198.51.${i < 100 ? i : i + 2}.9`),
		];
		const visit = {
			visited_at: isoAt(testApp.clock),
			page: '/',
			referrer: '',
			kind: 'person',
			event: 'visit',
		} as const;
		await writeVisits(
			testApp.deps,
			ips.map((ip, i) => ({ ...visit, id: `v${i}`, ip })),
		);
		await save({ isShortened: true });
		await expectTrueCounts();
		expect((await counts())['198.51.100.0']).toBe(2300);
		const long = await db.selectFrom('visit_addresses').select('ip').where('is_short', '=', 0).execute();
		expect(long).toEqual([]);
	});

	test('are deleted after the number of days in the settings, and the totals of each day are kept', async () => {
		await reportVisits('198.51.100.1', 3);
		await passDays(10);
		await Promise.all([reportVisit('198.51.100.1'), reportVisit('198.51.100.2')]);
		await save({ keptDays: 30 });
		await passDays(21);
		await collectGarbage(testApp.deps);
		expect(await counts()).toEqual({ '198.51.100.1': 1, '198.51.100.2': 1 });
		await expectTrueCounts();
		await passDays(10);
		await collectGarbage(testApp.deps);
		expect(await addresses()).toMatchObject({ items: [], total: 0 });
		const totals = await summary(90);
		expect(totals).toMatchObject({ totalVisits: 5, uniqueVisitors: 0 });
		expect(totals.days.map(({ visits }: { visits: number }) => visits).filter(Boolean)).toEqual([3, 2]);
		await passDays(-41);
	});

	test('are deleted when a shorter retention time is saved, and are kept forever without a retention time', async () => {
		await reportVisit('198.51.100.1');
		await passDays(400);
		await save({ keptDays: null });
		await collectGarbage(testApp.deps);
		expect(await counts()).toEqual({ '198.51.100.1': 1 });
		await save({ keptDays: 399 });
		expect(await counts()).toEqual({});
		await passDays(-400);
	});
});

test.each([0, -1, 1.5, 3651, 'abc'])(
	'PUT /api/settings/visits refuses %j days with a field error',
	async (keptDays) => {
		const answer = await admin.call('PUT', '/api/settings/visits', { ...visitDefaults, keptDays, version: 0 });
		expect(answer.statusCode).toBe(422);
		expect(answer.json().fields).toEqual({ keptDays: 'Enter whole days, 1 to 3650.' });
	},
);
