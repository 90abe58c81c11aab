import { describe, expect, onTestFinished, test } from 'vitest';
import { ensureInitialAdmin } from '#server/features/accounts/administration/initial-admin.ts';
import { dumpDatabase } from '../../support/app/database-dump.ts';
import { createHttpClient } from '../../support/app/http-client.ts';
import { openSecondProcess, openTestApp } from '../../support/app/shared-test-app.ts';
import { createTestApp, listMailsTo, tokenIn } from '../../support/app/test-app.ts';
import { makeSignedInUser, makeUser, testPassword } from '../../support/app/users.ts';

const { world, admin } = await openTestApp();

const anybody = (ip?: string) => createHttpClient(world.app, ip);
const trySignIn = (email: string, password: string, ip?: string) =>
	anybody(ip).call('POST', '/api/sign-in', { email, password });

const join = (email: string) => makeSignedInUser(world, email);
const requestReset = (email: string, ip?: string, headers?: Record<string, string>) =>
	anybody(ip).call('POST', '/api/password/request-reset', { email }, headers);
const setPassword = (token: string, password: string) =>
	anybody().call('POST', '/api/password/set', { token, password });
const jsonType = { 'content-type': 'application/json' };

const seen = new Set<string>();

/** Returns the token of the mail that has arrived since the last call. */
async function tokenFromMail(to: string): Promise<string> {
	const tokens = (await listMailsTo(world, to)).map(tokenIn);
	const token = tokens.find((each) => !seen.has(each)) ?? '';
	seen.add(token);
	return token;
}

describe('POST /api/sign-in', () => {
	test('answers a wrong password and an unknown address alike', async () => {
		await makeUser(world.deps, 'known@example.com');
		const wrong = await trySignIn('known@example.com', 'wrong');
		const unknown = await trySignIn('unknown@example.com', 'wrong');
		const message = 'Login failed. Please check your credentials.';
		expect(wrong.json()).toMatchObject({ code: 'LOGIN_FAILED', message });
		expect([wrong.statusCode, wrong.body]).toEqual([unknown.statusCode, unknown.body]);
		expect(wrong.statusCode).toBe(401);
		expect(wrong.headers['set-cookie']).toBeUndefined();
	});

	test('ignores case and surrounding spaces of the address, but not of the password', async () => {
		await makeUser(world.deps, 'Mixed.Case@Example.com');
		const { email } = (await trySignIn('  mixed.case@EXAMPLE.com ', testPassword)).json();
		expect(email).toBe('Mixed.Case@Example.com');
		expect((await trySignIn('mixed.case@example.com', testPassword.toUpperCase())).statusCode).toBe(401);
		expect((await trySignIn('mixed.case@example.com', `${testPassword} `)).statusCode).toBe(401);
	});

	test('reports the deactivation of an account only after the correct password', async () => {
		const { id } = await join('leaver@example.com');
		await admin.call('POST', `/api/users/${id}/active`, { active: false });
		expect((await trySignIn('leaver@example.com', 'wrong')).json()).toMatchObject({ code: 'LOGIN_FAILED' });
		const right = await trySignIn('leaver@example.com', testPassword);
		expect(right.statusCode).toBe(403);
		expect(right.json().message).toBe('Your account has been deactivated. Contact admin.');
		expect(right.headers['set-cookie']).toBeUndefined();
		const sessions = world.deps.db.selectFrom('sessions').select('ended_reason').where('user_id', '=', id);
		expect(await sessions.execute()).toEqual([{ ended_reason: 'deactivation' }]);
	});

	test('increases loginCount and stores browser and IP address in the login history', async () => {
		const id = await makeUser(world.deps, 'regular@example.com');
		const body = { email: 'regular@example.com', password: testPassword };
		for (const number of [1, 2]) {
			const headers = { 'user-agent': `Browser/${number}` };
			await anybody(`198.51.100.${number}`).call('POST', '/api/sign-in', body, headers);
			world.clock.advance(60);
		}
		await trySignIn('regular@example.com', 'wrong');
		const history = await world.deps.db
			.selectFrom('login_history')
			.select(['login_count', 'ip', 'browser_info'])
			.where('user_id', '=', id)
			.orderBy('login_count')
			.execute();
		expect(history).toEqual([
			{ login_count: 1, ip: '198.51.100.1', browser_info: 'Browser/1' },
			{ login_count: 2, ip: '198.51.100.2', browser_info: 'Browser/2' },
		]);
		const user = await world.deps.db.selectFrom('users').select('login_count').where('id', '=', id).executeTakeFirst();
		expect(user).toEqual({ login_count: 2 });
	});

	test('ignores X-Forwarded-For from a client that is not a trusted proxy', async () => {
		const id = await makeUser(world.deps, 'forwarded@example.com');
		const body = { email: 'forwarded@example.com', password: testPassword };
		await anybody().call('POST', '/api/sign-in', body, { 'x-forwarded-for': '192.0.2.99' });
		const history = world.deps.db.selectFrom('login_history').select('ip').where('user_id', '=', id);
		expect(await history.execute()).toEqual([{ ip: '203.0.113.7' }]);
	});

	test.each([
		{},
		{ email: 'a@b.c' },
		{ email: 1, password: [] },
		[],
		'text',
		null,
		{ email: 'a\0b@example.com', password: 'x' },
		{ email: 'x'.repeat(20_000), password: 'x' },
	])('refuses the body %j with an error message', async (body) => {
		const response = await anybody('198.51.100.50').call('POST', '/api/sign-in', JSON.stringify(body), jsonType);
		expect(response.statusCode).toBeOneOf([401, 422]);
		expect(response.json().message).not.toBe('');
	});
});

describe('the rate limit of failed sign-ins', () => {
	test('refuses the eleventh in 15 minutes, also with the correct password and by a new process', async () => {
		await makeUser(world.deps, 'target@example.com');
		for (let i = 0; i < 10; i += 1)
			expect((await trySignIn('target@example.com', `guess ${i}`, `192.0.2.${i}`)).statusCode).toBe(401);
		const eleventh = await trySignIn('target@example.com', testPassword, '192.0.2.200');
		expect(eleventh.statusCode).toBe(429);
		expect(eleventh.json()).toMatchObject({ code: 'TOO_MANY_SIGN_INS' });
		expect(eleventh.headers['retry-after']).toBe('900');

		const restarted = await openSecondProcess(world);
		const body = { email: 'target@example.com', password: testPassword };
		const again = await createHttpClient(restarted.app, '192.0.2.201').call('POST', '/api/sign-in', body);
		expect(again.statusCode).toBe(429);

		world.clock.advance(15 * 60 + 1);
		expect((await trySignIn('target@example.com', testPassword)).statusCode).toBe(200);
	});

	test('refuses every account at an IP address after 50 failed sign-ins', async () => {
		const ip = '198.51.100.77';
		const guesses = Array.from({ length: 50 }, (_, i) => trySignIn(`nobody-${i}@example.com`, 'guess', ip));
		expect((await Promise.all(guesses)).map(({ statusCode }) => statusCode)).toEqual(Array(50).fill(401));
		expect((await trySignIn('admin@example.com', testPassword, ip)).statusCode).toBe(429);
		expect((await trySignIn('admin@example.com', testPassword, '198.51.100.78')).statusCode).toBe(200);
	});

	test('does not count successful sign-ins', async () => {
		await makeUser(world.deps, 'busy@example.com');
		for (let i = 0; i < 12; i += 1)
			expect((await trySignIn('busy@example.com', testPassword, '198.51.100.79')).statusCode).toBe(200);
	});
});

describe('the origin check of a write', () => {
	const body = { email: 'known@example.com', password: testPassword };
	test.each([
		['another site', { origin: 'https://evil.example' }],
		['no site', { origin: 'null' }],
		['a cross-site request', { 'sec-fetch-site': 'cross-site' }],
		['a sibling site', { 'sec-fetch-site': 'same-site' }],
		['a host that only begins alike', { origin: 'http://folio.test.evil.example' }],
	])('refuses %s with 403 WRONG_ORIGIN and sets no cookie', async (_what, headers) => {
		const response = await anybody('198.51.100.60').call('POST', '/api/sign-in', body, headers);
		expect(response.statusCode).toBe(403);
		expect(response.json().code).toBe('WRONG_ORIGIN');
		expect(response.headers['set-cookie']).toBeUndefined();
	});

	test.each([
		['our own', { origin: 'http://folio.test' }],
		['our own, as the browser says', { 'sec-fetch-site': 'same-origin' }],
		['typed in', { 'sec-fetch-site': 'none' }],
	])('accepts a request whose origin is %s', async (_what, headers) => {
		expect((await anybody().call('POST', '/api/sign-in', body, headers)).statusCode).toBe(200);
	});

	test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/xml'])(
		'returns 415 for the content type %s',
		async (type) => {
			const response = await anybody().call('POST', '/api/sign-in', JSON.stringify(body), { 'content-type': type });
			expect(response.statusCode).toBe(415);
			expect(response.headers['set-cookie']).toBeUndefined();
		},
	);
});

describe('a session', () => {
	test('ends at sign-out and removes its cookie, while another session of the user continues', async () => {
		const { client } = await join('two-places@example.com');
		const other = anybody();
		await other.signIn('two-places@example.com', testPassword);
		const stolen = client.cookie();
		const answer = await client.call('POST', '/api/sign-out', {});
		expect(answer.cookies).toMatchObject([{ name: 'folio_session', value: '' }]);
		expect((await anybody().call('GET', '/api/me', undefined, { cookie: stolen })).statusCode).toBe(401);
		expect((await other.call('GET', '/api/me')).statusCode).toBe(200);
	});

	test('is stored as a hash of its token', async () => {
		const { client } = await join('hashed@example.com');
		const token = /folio_session=([^;]*)/u.exec(client.cookie())?.[1] ?? '';
		const rows = JSON.stringify(await world.deps.db.selectFrom('sessions').selectAll().execute());
		expect(token).toHaveLength(43);
		expect(rows).not.toContain(token);
	});

	test('returns 403 after a deactivation, and 401 when the account is active again', async () => {
		const { id, client } = await join('paused@example.com');
		await admin.call('POST', `/api/users/${id}/active`, { active: false });
		const denied = await client.call('GET', '/api/me');
		expect(denied.statusCode).toBe(403);
		expect(denied.json().message).toBe('Your account is not active.');
		await admin.call('POST', `/api/users/${id}/active`, { active: true });
		expect((await client.call('GET', '/api/me')).statusCode).toBe(401);
	});
});

describe('resetting a password', () => {
	test('sets a password once with a link that is valid for an hour after sending, and ends every session', async () => {
		const { client } = await join('forgetful@example.com');
		const asked = await requestReset(' Forgetful@example.com ', undefined, { host: 'evil.example' });
		expect(asked.body).toBe('{}');
		// The mail is sent a day later, and the hour of its link starts only then.
		world.clock.advance(24 * 3600);
		const token = await tokenFromMail('forgetful@example.com');
		expect(token).toHaveLength(43);
		const [mail] = await listMailsTo(world, 'forgetful@example.com');
		expect(mail?.text).toContain('http://folio.test/set-password');
		expect(`${mail?.text}${mail?.html}`).not.toContain('evil.example');
		world.clock.advance(3599);
		const check = () => anybody().call('POST', '/api/password/check-link', { token });
		expect((await check()).json()).toEqual({ isUsable: true });
		expect((await check()).json()).toEqual({ isUsable: true });

		const weak = await setPassword(token, '12345');
		expect(weak.json()).toMatchObject({ status: 422, message: '❌ Password must be at least 6 characters.' });
		const twice = await Promise.all(['first one', 'second one'].map((password) => setPassword(token, password)));
		expect(twice.map(({ statusCode }) => statusCode).sort()).toEqual([200, 410]);
		expect((await check()).json()).toEqual({ isUsable: false });
		expect((await client.call('GET', '/api/me')).statusCode).toBe(401);
		expect((await trySignIn('forgetful@example.com', testPassword)).statusCode).toBe(401);
		const password = twice[0]?.statusCode === 200 ? 'first one' : 'second one';
		expect((await trySignIn('forgetful@example.com', password)).statusCode).toBe(200);
	});

	test('refuses a link that is an hour old', async () => {
		await join('late@example.com');
		await requestReset('late@example.com');
		const token = await tokenFromMail('late@example.com');
		world.clock.advance(3600);
		const late = await setPassword(token, 'too late now');
		expect(late.json()).toMatchObject({ status: 410, code: 'LINK_INVALID' });
	});

	test('refuses older links after a newer one has set a password', async () => {
		await join('twice@example.com');
		await requestReset('twice@example.com');
		const first = await tokenFromMail('twice@example.com');
		world.clock.advance(1);
		await requestReset('twice@example.com');
		const second = await tokenFromMail('twice@example.com');
		expect(second).not.toBe(first);
		await setPassword(second, 'the newer one');
		expect((await setPassword(first, 'the older one')).statusCode).toBe(410);
	});

	test('gives an unknown address the same answer and sends it no mail', async () => {
		const before = (await world.runDueWork()).length;
		const unknown = await requestReset('nobody@example.com');
		const known = await requestReset('known@example.com');
		expect([unknown.statusCode, unknown.body]).toEqual([known.statusCode, known.body]);
		expect(await world.runDueWork()).toHaveLength(before + 1);
	});

	test.each(['', 'no address', 'a@b', 'a b@example.com', `${'x'.repeat(250)}@example.com`, 'a\0b@example.com'])(
		'refuses the address %j with a field error',
		async (email) => {
			const response = await requestReset(email, '198.51.100.90');
			expect(response.statusCode).toBe(422);
			expect(response.json().fields).toHaveProperty('email');
		},
	);

	test('does not count requests that an IP address limit refuses against the limit of the account', async () => {
		const ask = async (email: string, from: string) => (await requestReset(email, from)).statusCode;
		for (let i = 0; i < 30; i += 1) await ask(`somebody-${i}@example.com`, '198.51.100.92');
		for (let i = 0; i < 6; i += 1) expect(await ask('spared@example.com', '198.51.100.92')).toBe(429);
		expect(await ask('spared@example.com', '198.51.100.93')).toBe(200);
	});

	test('refuses the sixth request within an hour for one account', async () => {
		const ask = () => requestReset('limited@example.com', '198.51.100.91');
		for (let i = 0; i < 5; i += 1) expect((await ask()).statusCode).toBe(200);
		expect((await ask()).json()).toMatchObject({ status: 429, code: 'TOO_MANY_RESETS' });
		world.clock.advance(3601);
		expect((await ask()).statusCode).toBe(200);
	});

	test('stores tokens only as hashes', async () => {
		await requestReset('hashed@example.com');
		const token = await tokenFromMail('hashed@example.com');
		expect(token).not.toBe('');
		expect(JSON.stringify(await dumpDatabase(world.deps))).not.toContain(token);
	});
});

test('ensureInitialAdmin creates the first owner and returns the password only once', async () => {
	const fresh = await createTestApp();
	onTestFinished(() => fresh.close());
	const owner = await ensureInitialAdmin(fresh.deps);
	expect(owner?.email).toBe('owner@folio.local');
	expect(owner?.password).toMatch(/^\w+-\d\d-\w+-\w+-\w+$/u);
	expect(await ensureInitialAdmin(fresh.deps)).toBeNull();
	const client = createHttpClient(fresh.app);
	await client.signIn('owner@folio.local', owner?.password ?? '');
	expect((await client.call('GET', '/api/me')).json()).toMatchObject({ role: 'admin', hasInitialPassword: false });
});

test('ensureInitialAdmin creates the owner of ADMIN_EMAIL and does not return ADMIN_PASSWORD', async () => {
	const fresh = await createTestApp({ ADMIN_EMAIL: 'boss@example.com', ADMIN_PASSWORD: 'the boss knows' });
	onTestFinished(() => fresh.close());
	expect(await ensureInitialAdmin(fresh.deps)).toEqual({ email: 'boss@example.com', password: null });
	await createHttpClient(fresh.app).signIn('boss@example.com', 'the boss knows');
});
