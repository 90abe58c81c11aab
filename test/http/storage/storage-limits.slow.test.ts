import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import { collectGarbage } from '#server/features/maintenance/tasks/tasks.service.ts';
import { rateLimits } from '#server/platform/auth/rate-limits/rate-limits.ts';
import { createSession } from '#server/platform/auth/sessions/sessions.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { newId } from '#server/platform/ids.ts';
import { dumpDatabase } from '../../support/app/database-dump.ts';
import { findRows, insertRows } from '../../support/app/database-rows.ts';
import { diskWithSpaceForFiles, fakeDiskSpace, largeDisk } from '../../support/app/disk-space.ts';
import { createHttpClient, type HttpClient } from '../../support/app/http-client.ts';
import { openSecondProcess, openTestApp } from '../../support/app/shared-test-app.ts';
import { createSecondProcess, type TestApp } from '../../support/app/test-app.ts';
import { joinAs, makeSignedInUser, testPassword } from '../../support/app/users.ts';
import { insertAnnotations } from '../../support/fixtures/annotations.ts';
import { makeFile, makeFolder, makePdfFile } from '../../support/fixtures/files.ts';
import { codeAt, setUpTwoFactor } from '../../support/fixtures/two-factor.ts';
import { testDatabase } from '../../support/services/test-database.ts';

// These tests cover the limits in docs/storage-limits.md that have no other test.
const daySeconds = 24 * 3600;
const chrome =
	'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

const { testApp, deps } = await openTestApp();
/** A second process, whose rate limits are a tenth of the normal limits. */
const strictApp = await createSecondProcess(testApp, { RATE_LIMIT_FACTOR: 0.1 });
afterAll(() => strictApp.close());

const join = () => joinAs(strictApp);

/** Folio watches only the disk of SQLite, so that PostgreSQL accepts the same writes. */
const isEmbedded = testDatabase === 'sqlite';

async function withFullDisk(work: () => Promise<void>): Promise<void> {
	fakeDiskSpace(strictApp.deps, diskWithSpaceForFiles(0));
	try {
		await work();
	} finally {
		fakeDiskSpace(strictApp.deps, largeDisk);
	}
}

describe('sign-ins', () => {
	const caller = { actor: null, ip: '192.0.2.1', userAgent: 'test', locale: 'en' } as const;
	const sessionsOf = (userId: string) => findRows(deps, 'sessions', { user_id: userId });
	const isSignedIn = async (client: HttpClient) => (await client.call('GET', '/api/me')).statusCode === 200;

	test('keep 1,000 sessions of a user, and delete first ended sessions, then sessions that were unused for longest', async () => {
		const { id, email, client: used } = await join();
		const newClient = () => createHttpClient(strictApp.app);
		const [ended, idle, fresh] = [newClient(), newClient(), newClient()];
		await ended.signIn(email, testPassword);
		await ended.call('POST', '/api/sign-out', {});
		await idle.signIn(email, testPassword);
		testApp.clock.advance(600);
		expect(await isSignedIn(used)).toBe(true);
		await inTransaction(strictApp.deps.db, async (tx) => {
			for (let i = 0; i < limits.sessionsPerUserMax - 2; i += 1) await createSession(strictApp.deps, tx, id, caller);
		});
		const full = await sessionsOf(id);
		expect([full.length, full.filter(({ ended_at }) => ended_at !== null)]).toEqual([limits.sessionsPerUserMax, []]);
		expect(await isSignedIn(used)).toBe(true);
		await fresh.signIn(email, testPassword);
		expect(await sessionsOf(id)).toHaveLength(limits.sessionsPerUserMax);
		expect([await isSignedIn(used), await isSignedIn(idle), await isSignedIn(fresh)]).toEqual([true, false, true]);
	});

	test('keep the last 500 sign-ins in the login history, but count all in loginCount', async () => {
		const { id, email } = await join();
		const max = limits.signInsPerUserMax;
		const signIn = { user_id: id, at: testApp.clock.now().toISOString(), ip: '192.0.2.1', browser_info: chrome };
		const rows = Array.from({ length: max }, (_, i) => ({ ...signIn, id: newId(), login_count: i + 2 }));
		await insertRows(deps, 'login_history', rows);
		const count = { login_count: max + 1 };
		await deps.db.updateTable('users').set(count).where('id', '=', id).execute();
		await createHttpClient(strictApp.app).signIn(email, testPassword);
		const loginCounts = (await findRows(deps, 'login_history', { user_id: id })).map(({ login_count }) => login_count);
		expect([loginCounts.length, Math.min(...loginCounts), Math.max(...loginCounts)]).toEqual([max, 3, max + 2]);
	});

	test('store at most 500 characters of the user agent', async () => {
		const { id, email } = await join();
		const body = { email, password: testPassword };
		await createHttpClient(strictApp.app).call('POST', '/api/sign-in', body, { 'user-agent': 'x'.repeat(5000) });
		const lengths = (await sessionsOf(id)).map((row) => row.user_agent.length);
		expect(Math.max(...lengths)).toBe(500);
	});

	test('that fail are counted in rows that garbage collection deletes when the rate limits have expired', async () => {
		const visitor = createHttpClient(strictApp.app, '192.0.2.9');
		for (const name of ['a', 'b', 'c'])
			await visitor.call('POST', '/api/sign-in', { email: `${name}@x.example`, password: '-' });
		const counts = deps.db.selectFrom('rate_limits').select('key').where('key', 'like', 'sign-in-%');
		const countRows = async () => (await counts.execute()).length;
		expect(await countRows()).toBeGreaterThan(3);
		testApp.clock.advance(15 * 60 + 1);
		await collectGarbage(deps);
		expect(await countRows()).toBe(0);
	});
});

describe('changes of an account', () => {
	const refusal = 'This account was changed too often today. Please try again tomorrow.';

	test('are refused above the daily limit with a message, and store nothing', async () => {
		const { client } = await join();
		let currentPassword = testPassword;
		const change = (password: string) => client.call('POST', '/api/password/change', { currentPassword, password });
		for (let i = 0; i < rateLimits.changesPerAccount.count / 10; i += 1) {
			expect((await change(`password ${i}`)).statusCode).toBe(200);
			currentPassword = `password ${i}`;
		}
		const users = async () => {
			const { users, audit } = await dumpDatabase(deps);
			return { users, audit };
		};
		const before = await users();
		const refused = await change('one too many');
		expect(refused.json()).toMatchObject({ code: 'TOO_MANY_ACCOUNT_CHANGES', status: 429, message: refusal });
		expect(refused.headers['retry-after']).toBe(String(daySeconds));
		expect(await users()).toEqual(before);
		testApp.clock.advance(daySeconds + 1);
		expect((await change('the next day')).statusCode).toBe(200);
	});

	test('include two-factor sign-in, which cannot be turned on above the daily limit', async () => {
		const { email, client } = await join();
		const send = (url: string, body: unknown) => client.call('POST', url, body);
		const { recoveryCodes } = await setUpTwoFactor(testApp, send);
		const renewed = await send('/api/two-factor/recovery-codes', { password: testPassword, code: recoveryCodes[0] });
		const [first] = renewed.json().recoveryCodes;
		expect((await send('/api/two-factor/turn-off', { password: testPassword, code: first })).statusCode).toBe(200);
		const { secret } = (await send('/api/two-factor/begin', { password: testPassword })).json();
		const code = codeAt(secret, testApp.clock.now());
		expect((await send('/api/two-factor/confirm', { code })).json()).toMatchObject({ message: refusal });
		const mails = await testApp.runDueWork();
		expect(mails.filter(({ to }) => to?.[0]?.address === email)).toHaveLength(2);
		testApp.clock.advance(daySeconds + 1);
		const next = codeAt(secret, testApp.clock.now());
		expect((await send('/api/two-factor/confirm', { code: next })).statusCode).toBe(200);
	});

	test('end sessions also above the daily limit, but write no further audit entries', async () => {
		const { id, client } = await join();
		const most = rateLimits.sessionEndsPerAccount.count / 10;
		for (let i = 0; i < most + 2; i += 1) {
			const { sessionId } = await inTransaction(strictApp.deps.db, (tx) =>
				createSession(strictApp.deps, tx, id, { actor: null, ip: '192.0.2.1', userAgent: 'test', locale: 'en' }),
			);
			expect((await client.call('DELETE', `/api/sessions/${sessionId}`)).statusCode).toBe(200);
		}
		expect(await findRows(deps, 'audit', { subject_id: id, action: 'sessions-ended' })).toHaveLength(most);
		expect((await client.call('GET', '/api/sessions')).json().total).toBe(1);
	});
});

const post = ({ app }: TestApp, ip: string, url: string, body: object) =>
	createHttpClient(app, ip).call('POST', url, body, { 'user-agent': chrome });

describe('searches for credentials', () => {
	const search = (ip: string, username = 'somebody', lang = 'en') =>
		post(strictApp, ip, `/api/insta-credentials/search?lang=${lang}`, { username, state: 'goa' });
	const countLookups = async () => (await findRows(deps, 'credential_lookups')).length;

	test('are refused above the daily limit of an IP address with a message, and store nothing', async () => {
		const most = rateLimits.lookupPerIpAddressAndDay.count / 10;
		for (let i = 0; i < most; i += 1) {
			expect((await search('192.0.2.20')).statusCode).toBe(200);
			testApp.clock.advance(61);
		}
		const before = await countLookups();
		const refused = await search('192.0.2.20');
		expect(refused.json()).toMatchObject({
			code: 'TOO_MANY_LOOKUPS_TODAY',
			message: 'Too many lookups came from your network today. Please try again tomorrow.',
		});
		expect((await search('192.0.2.20', 'somebody', 'hi')).json().code).toBe('TOO_MANY_LOOKUPS');
		expect(await countLookups()).toBe(before);
		expect((await search('192.0.2.21')).statusCode).toBe(200);
		testApp.clock.advance(daySeconds);
		expect((await search('192.0.2.20')).statusCode).toBe(200);
	});

	test('store at most 300 characters of the username', async () => {
		testApp.clock.advance(61);
		expect((await search('192.0.2.22', 'य'.repeat(1000))).statusCode).toBe(200);
		const { client: admin } = await makeSignedInUser(strictApp, 'owner@example.com', 'admin');
		const [line] = (await admin.call('GET', '/api/credential-lookups?limit=1')).json().items;
		expect(line.username).toBe('य'.repeat(limits.credentialLookupMaxLength));
	});

	if (isEmbedded)
		test('are refused when their row would use the disk reserve', async () => {
			const before = await countLookups();
			await withFullDisk(async () => {
				expect((await search('192.0.2.23')).json()).toMatchObject({ code: 'STORAGE_FULL', status: 507 });
			});
			expect(await countLookups()).toBe(before);
		});
});

describe('visits', () => {
	const reportVisit = (to: TestApp, ip: string) =>
		post(to, ip, '/api/visits', { event: 'visit', page: '/', referrer: '' });
	const countRows = async (table: 'visits' | 'visit_addresses' | 'rate_limits') => (await findRows(deps, table)).length;

	test('are not recorded above the daily limit of all IP addresses, and visitors get no error', async () => {
		const strictest = await openSecondProcess(testApp, { RATE_LIMIT_FACTOR: 10 / rateLimits.visitsTotal.count });
		const first = await Promise.all(Array.from({ length: 12 }, (_, i) => reportVisit(strictest, `203.0.113.${i + 1}`)));
		expect(first.map(({ statusCode }) => statusCode)).toEqual(Array(12).fill(200));
		expect(await countRows('visits')).toBe(10);
		const before = [await countRows('visit_addresses'), await countRows('rate_limits')];
		for (let i = 0; i < 5; i += 1) expect((await reportVisit(strictest, `2001:db8:${i}::1`)).statusCode).toBe(200);
		expect(await countRows('visits')).toBe(10);
		expect([await countRows('visit_addresses'), await countRows('rate_limits')]).toEqual(before);
		testApp.clock.advance(daySeconds + 1);
		await reportVisit(strictest, '203.0.113.1');
		expect(await countRows('visits')).toBe(11);
	});

	if (isEmbedded)
		test('are not recorded when they would use the disk reserve', async () => {
			const before = await countRows('visits');
			await withFullDisk(async () => {
				expect((await reportVisit(strictApp, '203.0.113.99')).statusCode).toBe(200);
			});
			expect(await countRows('visits')).toEqual(before);
		});
});

describe('annotations, reading positions and lesson progress', () => {
	let file: string;
	beforeAll(async () => {
		file = await makePdfFile(deps, 'guest', { name: 'guide.pdf' });
	});
	const bookmark = (client: HttpClient, id: string = randomUUID(), note = '') => {
		const mark = { kind: 'bookmark', page: 1, boxes: [], quote: '', note, color: 'yellow', chapter: null };
		return client.call('PUT', `/api/reading/${file}/marks/${id}`, mark);
	};
	const fill = (userId: string, count: number, sizeBytes: number) =>
		insertAnnotations(testApp, { userId, document: (index) => `part-${(index % 2) + 1}-en`, count, sizeBytes });
	const full = 'You have reached the limit for highlights, bookmarks and notes. Delete some first, in any document.';

	test('are limited to 10,000 annotations in all documents of a user, and existing annotations can still be changed', async () => {
		const { id, client } = await join();
		await fill(id, limits.annotationsPerUserMax - 1, 2);
		const last = randomUUID();
		expect((await bookmark(client, last)).statusCode).toBe(200);
		const refusal = { code: 'TOO_MANY_MARKS_IN_ALL', status: 409, message: full };
		expect((await bookmark(client)).json()).toMatchObject(refusal);
		expect((await bookmark(client, last, 'read again')).json().note).toBe('read again');
		await client.call('DELETE', `/api/reading/${file}/marks/${last}`);
		expect((await bookmark(client)).statusCode).toBe(200);
	});

	test('are limited to 8 MB of annotations in all documents of a user', async () => {
		const { id, client } = await join();
		await fill(id, 2, limits.annotationsPerUserMaxBytes / 2 - 500);
		expect((await bookmark(client, randomUUID(), 'x'.repeat(900))).statusCode).toBe(200);
		expect((await bookmark(client, randomUUID(), 'x'.repeat(900))).json().code).toBe('TOO_MANY_MARKS_IN_ALL');
	});

	if (isEmbedded)
		test('are refused when they would use the disk reserve, but can be deleted', async () => {
			const { client } = await join();
			const id = randomUUID();
			await bookmark(client, id);
			await withFullDisk(async () => {
				expect((await bookmark(client)).json()).toMatchObject({ code: 'STORAGE_FULL', status: 507 });
				expect((await client.call('DELETE', `/api/reading/${file}/marks/${id}`)).statusCode).toBe(200);
			});
		});

	test('have one row for each document or lesson, however often they are saved', async () => {
		const { id, email, client } = await join();
		const owner = await join();
		const folder = await makeFolder(deps, owner.email, 'Lessons');
		const video = { name: 'lesson.mp4', bytes: Buffer.from('x'), contentType: 'video/mp4' };
		const lesson = await makeFile(deps, { ...video, ownerId: owner.id, folder });
		const { client: admin } = await makeSignedInUser(strictApp, 'sharer@example.com', 'admin');
		await admin.call('POST', '/api/shares', { nodeId: folder.id, email });
		for (let page = 1; page <= 5; page += 1) {
			testApp.clock.advance(60);
			const readAt = testApp.clock.now().toISOString();
			const place = { page, pageCount: 9, offset: 0, chapter: null, readAt };
			expect((await client.call('PUT', `/api/reading/${file}/place`, place)).statusCode).toBe(200);
			const progress = { position: page, total: 9 };
			expect((await client.call('PUT', `/api/course/lessons/${lesson}/progress`, progress)).statusCode).toBe(200);
		}
		expect(await findRows(deps, 'reading_positions', { user_id: id })).toMatchObject([{ page: 5 }]);
		expect(await findRows(deps, 'lesson_progress', { user_id: id })).toMatchObject([{ position: 5 }]);
	});
});

test('signing out, checking a link, starting two-factor sign-in and ending an impersonation add no row', async () => {
	const { client } = await join();
	const countAll = async () =>
		Object.fromEntries(Object.entries(await dumpDatabase(deps)).map(([table, rows]) => [table, rows.length]));
	const before = await countAll();
	const calls: Array<[url: string, body: object, status: number]> = [
		['/api/password/check-link', { token: 'x'.repeat(43) }, 200],
		['/api/password/set', { token: 'x'.repeat(43), password: 'long enough' }, 410],
		['/api/two-factor/begin', { password: testPassword }, 200],
		['/api/two-factor/begin', { password: testPassword }, 200],
		['/api/view-as/end', {}, 200],
		['/api/sign-out', {}, 200],
	];
	for (const [url, body, status] of calls)
		expect([url, (await client.call('POST', url, body)).statusCode]).toEqual([url, status]);
	expect(await countAll()).toEqual(before);
});
