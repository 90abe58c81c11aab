import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { otherReferrers, visitDefaults } from '#contract/storefront/visits.ts';
import { collectGarbage } from '#server/features/maintenance/tasks/tasks.service.ts';
import { dumpDatabase } from '../../support/app/database-dump.ts';
import { listen, openEventStream } from '../../support/app/event-streams.ts';
import { createHttpClient, type HttpClient } from '../../support/app/http-client.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { createSecondProcess, type TestApp } from '../../support/app/test-app.ts';
import { makeSignedInUser, makeUser, testPassword } from '../../support/app/users.ts';
import { makeOrder } from '../../support/fixtures/orders.ts';

const chrome =
	'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36';
const googlebot = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const daySeconds = 24 * 3600;

const { world, admin } = await openTestApp();
const { client: member, id: memberId } = await makeSignedInUser(world, 'member@example.com');

beforeEach(async () => {
	const { db } = world.deps;
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
	of?: TestApp;
}

/** Advances the clock and signs in again, because a session does not last that long. */
async function passDays(days: number) {
	world.clock.advance(days * daySeconds);
	await admin.signIn('admin@example.com', testPassword);
}
/** Opens a second process until the end of the test. */
async function openSecondProcess(env: Parameters<typeof createSecondProcess>[1] = {}): Promise<TestApp> {
	const twin = await createSecondProcess(world, env);
	onTestFinished(() => twin.close());
	return twin;
}
/** Reports a visit as the script of the landing page does. */
function reportVisit(
	ip: string,
	{ event = 'visit', page = '/', referrer = '', headers = {}, client, of = world }: VisitReport = {},
) {
	const visitor = client ?? createHttpClient(of.app, ip);
	return visitor.call('POST', '/api/visits', { event, page, referrer }, { 'user-agent': chrome, ...headers });
}
const reportVisits = (ip: string, count: number, told: VisitReport = {}) =>
	Promise.all(Array.from({ length: count }, () => reportVisit(ip, told)));
const summary = async (days = 30) => (await admin.call('GET', `/api/visits-summary?days=${days}`)).json();
const addresses = async (query = '') => (await admin.call('GET', `/api/visit-addresses${query}`)).json();
const counts = async () => {
	const { items } = await addresses();
	return Object.fromEntries(items.map(({ ip, visits }: { ip: string; visits: number }) => [ip, visits]));
};
async function save(changes: Partial<typeof visitDefaults>) {
	const { version } = (await admin.call('GET', '/api/settings/visits')).json();
	const saved = await admin.call('PUT', '/api/settings/visits', { ...visitDefaults, ...changes, version });
	expect(saved.statusCode).toBe(200);
	await world.runDueWork();
}
/** Checks that the stored counts equal the number of stored visits. */
async function expectTrueCounts() {
	const { db } = world.deps;
	const rows = await db.selectFrom('visits').select('ip').execute();
	const kept = await db.selectFrom('visit_addresses').select(['ip', 'visits']).orderBy('ip').execute();
	const counted = Map.groupBy(rows, ({ ip }) => ip);
	expect(kept).toEqual(
		[...counted].map(([ip, { length }]) => ({ ip, visits: length })).sort((a, b) => (a.ip < b.ip ? -1 : 1)),
	);
	const { addresses: sum } = await db.selectFrom('visit_sums').select('addresses').executeTakeFirstOrThrow();
	expect(sum).toBe(kept.length);
}

describe('POST /api/visits', () => {
	test('stores address, time, page and referrer, and counts the visit in the totals', async () => {
		const told = await reportVisit('198.51.100.7', { page: '/?lang=hi', referrer: 'https://www.instagram.com' });
		expect(told.statusCode).toBe(200);
		expect(told.json()).toEqual({});
		await Promise.all([reportVisits('198.51.100.7', 2), reportVisit('2001:db8::9')]);
		const rows = await world.deps.db.selectFrom('visits').selectAll().where('page', '=', '/?lang=hi').execute();
		expect(rows).toEqual([
			{
				id: expect.any(String),
				visited_at: world.clock.now().toISOString(),
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
		expect(await addresses()).toMatchObject({
			items: [
				{ ip: '198.51.100.7', visits: 3, lastVisitAt: world.clock.now().toISOString() },
				{ ip: '2001:db8::9', visits: 1 },
			],
			total: 2,
			nextCursor: null,
		});
		await expectTrueCounts();
	});

	test('stores only the site of a referrer, and none for our own site or an invalid referrer', async () => {
		const given = [
			'https://news.example/a/secret?token=1#x',
			'http://user:word@plain.example:8080/x',
			'http://folio.test/terms',
			'javascript:alert(1)',
			'<script>',
			`https://${'a'.repeat(250)}.example`,
		];
		await Promise.all(given.map((referrer) => reportVisit('198.51.100.1', { referrer })));
		const { referrers } = await summary();
		expect(referrers).toEqual([
			{ referrer: '', visits: 4 },
			{ referrer: 'http://plain.example:8080', visits: 1 },
			{ referrer: 'https://news.example', visits: 1 },
		]);
	});

	test.each([
		['no page of ours', { page: '/admin' }],
		['an unknown event', { event: 'sale' }],
		['a referrer that is no text', { referrer: 7 as never }],
		['a referrer of 20 KB', { referrer: 'x'.repeat(20_000) }],
	])('returns 422 and stores nothing for %s', async (_what, told) => {
		const before = await dumpDatabase(world.deps);
		expect((await reportVisit('198.51.100.1', told)).statusCode).toBe(422);
		expect(await dumpDatabase(world.deps)).toEqual(before);
	});

	test('refuses a visit that a page of another site reports', async () => {
		const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
		expect((await reportVisit('198.51.100.1', { headers })).statusCode).toBe(403);
		expect((await summary()).totalVisits).toBe(0);
	});

	test('stores the address Unknown when the request has none', async () => {
		await reportVisit('Unknown');
		expect(await counts()).toEqual({ Unknown: 1 });
	});

	test('counts a visit for the day of the business time zone', async () => {
		// 18:29 and 18:31 UTC are before and after midnight in India.
		world.clock.advance((14 * 60 + 47) * 60);
		await reportVisit('198.51.100.1');
		world.clock.advance(120);
		await reportVisit('198.51.100.1');
		const { days } = await summary(2);
		expect(days).toEqual([
			{ day: '2026-11-20', visits: 1 },
			{ day: '2026-11-21', visits: 1 },
		]);
		world.clock.advance(-(14 * 60 + 49) * 60);
	});
});

describe('a spoofed X-Forwarded-For header', () => {
	test('is ignored without a trusted proxy', async () => {
		const spoofed = Array.from({ length: 5 }, (_visit, i) => ({ 'x-forwarded-for': `192.0.2.${i}` }));
		await Promise.all(spoofed.map((headers) => reportVisit('198.51.100.8', { headers })));
		expect(await counts()).toEqual({ '198.51.100.8': 5 });
		expect(await summary()).toMatchObject({ totalVisits: 5, uniqueVisitors: 1 });
	});

	test('is ignored behind a trusted proxy, whose own entry counts', async () => {
		const of = await openSecondProcess({ TRUST_PROXY: '203.0.113.99' });
		const told = ['192.0.2.1, ', '192.0.2.2, ', ''].map((spoofed) =>
			reportVisit('203.0.113.99', { of, headers: { 'x-forwarded-for': `${spoofed}198.51.100.9` } }),
		);
		const beside = reportVisit('198.51.100.10', { of, headers: { 'x-forwarded-for': '192.0.2.3' } });
		await Promise.all([...told, beside]);
		expect(await counts()).toEqual({ '198.51.100.9': 3, '198.51.100.10': 1 });
	});
});

describe('visits of bots and of the owner', () => {
	test('are not recorded by default, while those of a member are', async () => {
		const bots = [googlebot, 'curl/8.5.0', 'python-requests/2.31', '', 'facebookexternalhit/1.1'];
		const told = bots.map((userAgent) => reportVisit('198.51.100.1', { headers: { 'user-agent': userAgent } }));
		const own = [reportVisit('', { client: admin }), reportVisit('', { client: admin, event: 'form' })];
		for (const { statusCode } of await Promise.all([...told, ...own])) expect(statusCode).toBe(200);
		expect(await summary()).toMatchObject({ totalVisits: 0, uniqueVisitors: 0, funnel: { formsBegun: 0 } });
		expect(await world.deps.db.selectFrom('visits').selectAll().execute()).toEqual([]);
		await reportVisit('', { client: member });
		expect(await summary()).toMatchObject({ totalVisits: 1 });
	});

	test('are not recorded while an admin impersonates a member', async () => {
		await admin.call('POST', `/api/users/${memberId}/view-as`, {});
		expect((await reportVisit('', { client: admin })).json()).toMatchObject({ code: 'READ_ONLY_VIEW' });
		expect((await admin.call('POST', '/api/view-as/end', {})).statusCode).toBe(200);
		expect((await summary()).totalVisits).toBe(0);
	});

	test('are recorded with their kind as soon as the settings include them', async () => {
		await save({ leavesOutBots: false, leavesOutOwn: false });
		const ofBot = { headers: { 'user-agent': googlebot } };
		await Promise.all([reportVisit('198.51.100.1', ofBot), reportVisit('', { client: admin })]);
		const rows = await world.deps.db.selectFrom('visits').select('kind').orderBy('kind').execute();
		expect(rows).toEqual([{ kind: 'bot' }, { kind: 'own' }]);
		await save({ leavesOutBots: true, leavesOutOwn: false });
		await reportVisit('198.51.100.1', ofBot);
		expect((await summary()).totalVisits).toBe(2);
	});
});

describe('many visits', () => {
	test('are all counted when two servers record them at the same time', async () => {
		const twin = await openSecondProcess();
		const told = Array.from({ length: 600 }, (_visit, i) => {
			const of = i % 2 === 0 ? world : twin;
			return reportVisit(`198.51.${i % 7}.${i % 90}`, { of, referrer: `https://site-${i % 5}.example` });
		});
		expect(new Set((await Promise.all(told)).map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
		expect(await summary()).toMatchObject({ totalVisits: 600 });
		await expectTrueCounts();
		expect((await summary()).referrers).toHaveLength(5);
	});

	test('of one IP address or IPv6 network are recorded only up to the daily limit', async () => {
		const of = await openSecondProcess({ RATE_LIMIT_FACTOR: 10 / 20_000 });
		const ofNetwork = Array.from({ length: 12 }, (_visit, i) => reportVisit(`2001:db8::${i + 1}`, { of }));
		const other = reportVisit('198.51.100.2', { of });
		await Promise.all([reportVisits('198.51.100.1', 25, { of }), ...ofNetwork, other]);
		expect((await summary()).totalVisits).toBe(21);
		expect(await counts()).toMatchObject({ '198.51.100.1': 10, '198.51.100.2': 1 });
		world.clock.advance(daySeconds + 1);
		await reportVisit('198.51.100.1', { of });
		expect(await counts()).toMatchObject({ '198.51.100.1': 11 });
		await expectTrueCounts();
	});

	test('with 600 different referrers fill only 500 rows, and the others are counted together', async () => {
		const batch = (from: number, count: number) => {
			const referrers = Array.from({ length: count }, (_visit, i) => `https://made-up-${from + i}.example`);
			return Promise.all(referrers.map((referrer) => reportVisit('198.51.100.1', { referrer })));
		};
		await batch(0, 480);
		await batch(480, 120);
		await batch(590, 20);
		const sources = world.deps.db.selectFrom('visit_sources').select(['value', 'visits']);
		const rows = await sources.where('kind', '=', 'referrer').execute();
		expect(rows).toHaveLength(501);
		expect(rows.find(({ value }) => value === otherReferrers)?.visits).toBe(120);
		expect((await summary()).totalVisits).toBe(620);
	});

	test('from one address at the same moment are all stored when they are acknowledged', async () => {
		const told = await reportVisits('198.51.100.1', 40);
		expect(told).toHaveLength(40);
		expect(await counts()).toEqual({ '198.51.100.1': 40 });
	});
});

describe('GET /api/visit-addresses', () => {
	beforeEach(async () => {
		const visits = Array.from({ length: 9 }, (_address, i) => reportVisits(`198.51.100.${i}`, i < 4 ? 2 : 1));
		await Promise.all(visits);
	});

	test.each(['visits', 'ip'])('returns each address once in pages, sorted by %s', async (sort) => {
		const seen: { ip: string; visits: number }[] = [];
		let cursor = '';
		do {
			const page = await addresses(`?sort=${sort}&limit=2&cursor=${cursor}`);
			expect(page.total).toBe(9);
			seen.push(...page.items);
			cursor = page.nextCursor ?? '';
		} while (cursor !== '');
		const byIp = seen.toSorted((a, b) => (a.ip < b.ip ? -1 : 1));
		const wanted = sort === 'ip' ? byIp : byIp.toReversed().toSorted((a, b) => b.visits - a.visits);
		expect(seen).toEqual(wanted);
		expect(seen).toHaveLength(9);
	});

	test('returns 422 for an invalid cursor', async () => {
		const answer = await admin.call('GET', '/api/visit-addresses?cursor=nonsense');
		expect(answer.statusCode).toBe(422);
	});
});

test('the funnel counts visits, begun forms, orders placed and those of them that are Complete', async () => {
	const buy = async (email: string) =>
		(await makeOrder(world.deps, { userId: await makeUser(world.deps, email), email })).id;
	await reportVisits('198.51.100.1', 5);
	await reportVisits('198.51.100.1', 2, { event: 'form' });
	await buy('pending@example.com');
	const done = await buy('complete@example.com');
	await world.deps.db.updateTable('orders').set({ status: 'Complete' }).where('id', '=', done).execute();
	expect((await summary()).funnel).toEqual({ visits: 5, formsBegun: 2, proofsSent: 2, verified: 1 });
	await passDays(40);
	expect((await summary()).funnel).toEqual({ visits: 0, formsBegun: 0, proofsSent: 0, verified: 0 });
	expect((await summary(90)).funnel).toMatchObject({ visits: 5, proofsSent: 2 });
	expect((await summary()).totalVisits).toBe(5);
	await passDays(-40);
});

describe('the stored visits', () => {
	test('have addresses shortened to networks when the setting is on, also those recorded before', async () => {
		const told = ['198.51.100.0', '2001:db8:1:2::9', '2001:db8:1:ffff::1', 'Unknown'].map((ip) => reportVisit(ip));
		await Promise.all([reportVisits('198.51.100.7', 3), reportVisits('198.51.100.200', 2), ...told]);
		await save({ isShortened: true });
		expect(await counts()).toEqual({ '198.51.100.0': 6, '2001:db8:1::': 2, Unknown: 1 });
		await expectTrueCounts();
		await reportVisit('198.51.100.99');
		expect(await counts()).toMatchObject({ '198.51.100.0': 7 });
		expect(await summary()).toMatchObject({ totalVisits: 10, uniqueVisitors: 3 });
		await expectTrueCounts();
	});

	test('have all addresses shortened when there are more than 2,000 visits', async () => {
		const { db } = world.deps;
		const at = world.clock.now().toISOString();
		const ips = [
			...Array.from({ length: 2300 }, () => '198.51.100.5'),
			...Array.from({ length: 298 }, (_ip, i) => `198.51.${i < 100 ? i : i + 2}.9`),
		];
		const shared = { visited_at: at, page: '/', referrer: '', kind: 'person' as const };
		const visits = ips.map((ip, i) => ({ ...shared, id: `v${i}`, ip }));
		for (let start = 0; start < visits.length; start += 1000)
			await db
				.insertInto('visits')
				.values(visits.slice(start, start + 1000))
				.execute();
		const counted = Map.groupBy(await db.selectFrom('visits').select('ip').execute(), ({ ip }) => ip);
		const kept = [...counted].map(([ip, { length }]) => ({ ip, visits: length, last_at: at, is_short: 0 as const }));
		await db.insertInto('visit_addresses').values(kept).execute();
		await db.updateTable('visit_sums').set({ addresses: kept.length }).execute();
		await save({ isShortened: true });
		await expectTrueCounts();
		expect((await counts())['198.51.100.0']).toBe(2300);
		const long = await db.selectFrom('visit_addresses').select('ip').where('is_short', '=', 0).execute();
		expect(long).toEqual([]);
	});

	test('are deleted by garbage collection after the set number of days, and the totals by day are kept', async () => {
		await reportVisits('198.51.100.1', 3);
		await passDays(10);
		await Promise.all([reportVisit('198.51.100.1'), reportVisit('198.51.100.2')]);
		await save({ keptDays: 30 });
		await passDays(21);
		await collectGarbage(world.deps);
		expect(await counts()).toEqual({ '198.51.100.1': 1, '198.51.100.2': 1 });
		await expectTrueCounts();
		await passDays(10);
		await collectGarbage(world.deps);
		expect(await addresses()).toMatchObject({ items: [], total: 0 });
		const kept = await summary(90);
		expect(kept).toMatchObject({ totalVisits: 5, uniqueVisitors: 0 });
		expect(kept.days.map(({ visits }: { visits: number }) => visits).filter(Boolean)).toEqual([3, 2]);
		await passDays(-41);
	});

	test('are deleted as soon as a shorter time is saved, and never while no time is set', async () => {
		await reportVisit('198.51.100.1');
		await passDays(400);
		await save({ keptDays: null });
		await collectGarbage(world.deps);
		expect(await counts()).toEqual({ '198.51.100.1': 1 });
		await save({ keptDays: 399 });
		expect(await counts()).toEqual({});
		await passDays(-400);
	});
});

describe('PUT /api/settings/visits', () => {
	test('returns STALE for an outdated version and writes an audit entry', async () => {
		const body = { ...visitDefaults, isShortened: true, version: 0 };
		expect((await admin.call('PUT', '/api/settings/visits', body)).json()).toEqual({ version: 1 });
		const late = await admin.call('PUT', '/api/settings/visits', body);
		expect(late.statusCode).toBe(409);
		expect(late.json()).toMatchObject({ code: 'STALE' });
		const [entry] = (await admin.call('GET', '/api/audit?kind=settings&limit=1')).json().items;
		expect(entry).toMatchObject({ action: 'visit-settings-saved', kind: 'settings' });
		await world.runDueWork();
	});

	test.each([0, -1, 1.5, 3651, 'abc'])('refuses %j days with a field error', async (keptDays) => {
		const answer = await admin.call('PUT', '/api/settings/visits', { ...visitDefaults, keptDays, version: 0 });
		expect(answer.statusCode).toBe(422);
		expect(answer.json().fields).toEqual({ keptDays: 'Enter whole days, 1 to 3650.' });
	});
});

test('publishes a visits event to the event stream of an admin when a visit is recorded', async () => {
	const url = await listen(world.app);
	const events = await openEventStream(url, admin.cookie());
	await save({});
	await reportVisit('198.51.100.1');
	expect(await events.waitFor('visits')).toEqual({ topic: 'visits' });
	events.close();
});
