import { describe, expect, onTestFinished, test } from 'vitest';
import { ensureInitialAdmin } from '#server/features/accounts/administration/initial-admin.ts';
import { findRows } from '../../support/app/database-rows.ts';
import { listen, openEventStream, requireWithinASecond } from '../../support/app/event-streams.ts';
import { createHttpClient } from '../../support/app/http-client.ts';
import { openSecondProcess, openTestApp } from '../../support/app/shared-test-app.ts';
import { createTestApp, listMailsTo, tokenIn } from '../../support/app/test-app.ts';
import { makeSignedInUser, makeUser, testPassword } from '../../support/app/users.ts';

const { testApp, deps, admin } = await openTestApp();

const newClient = (ip?: string) => createHttpClient(testApp.app, ip);
const trySignIn = (email: string, password: string, ip?: string) =>
	newClient(ip).call('POST', '/api/sign-in', { email, password });

const join = (email: string) => makeSignedInUser(testApp, email);
const requestReset = (email: string, ip?: string, headers?: Record<string, string>) =>
	newClient(ip).call('POST', '/api/password/request-reset', { email }, headers);
const setPassword = (token: string, password: string) =>
	newClient().call('POST', '/api/password/set', { token, password });
const jsonType = { 'content-type': 'application/json' };

const seen = new Set<string>();

/** Returns a mailed token that no earlier call has returned. */
async function tokenFromMail(to: string): Promise<string> {
	const tokens = (await listMailsTo(testApp, to)).map(tokenIn);
	const token = tokens.find((candidate) => !seen.has(candidate)) ?? '';
	seen.add(token);
	return token;
}

describe('POST /api/sign-in', () => {
	test('returns the same response for a wrong password as for an unknown address', async () => {
		await makeUser(deps, 'known@example.com');
		const wrong = await trySignIn('known@example.com', 'wrong');
		const unknown = await trySignIn('unknown@example.com', 'wrong');
		const message = 'Login failed. Please check your credentials.';
		expect(wrong.json()).toMatchObject({ code: 'LOGIN_FAILED', message });
		expect([wrong.statusCode, wrong.body]).toEqual([unknown.statusCode, unknown.body]);
		expect(wrong.statusCode).toBe(401);
		expect(wrong.headers['set-cookie']).toBeUndefined();
	});

	test('ignores case and surrounding spaces in the address, but not in the password', async () => {
		await makeUser(deps, 'Mixed.Case@Example.com');
		const { email } = (await trySignIn('  mixed.case@EXAMPLE.com ', testPassword)).json();
		expect(email).toBe('Mixed.Case@Example.com');
		expect((await trySignIn('mixed.case@example.com', testPassword.toUpperCase())).statusCode).toBe(401);
		expect((await trySignIn('mixed.case@example.com', `${testPassword} `)).statusCode).toBe(401);
	});

	test('reports a deactivated account only after the correct password, and a reactivation restores no session', async () => {
		const { id, client } = await join('leaver@example.com');
		await admin.call('POST', `/api/users/${id}/active`, { active: false });
		expect((await trySignIn('leaver@example.com', 'wrong')).json()).toMatchObject({ code: 'LOGIN_FAILED' });
		const right = await trySignIn('leaver@example.com', testPassword);
		expect(right.statusCode).toBe(403);
		expect(right.json().message).toBe('Your account has been deactivated. Contact admin.');
		expect(right.headers['set-cookie']).toBeUndefined();
		expect(await findRows(deps, 'sessions', { user_id: id })).toMatchObject([{ ended_reason: 'deactivation' }]);
		await admin.call('POST', `/api/users/${id}/active`, { active: true });
		expect((await client.call('GET', '/api/me')).statusCode).toBe(401);
	});

	test('ignores X-Forwarded-For when the client is not a trusted proxy', async () => {
		const id = await makeUser(deps, 'forwarded@example.com');
		const body = { email: 'forwarded@example.com', password: testPassword };
		await newClient().call('POST', '/api/sign-in', body, { 'x-forwarded-for': '192.0.2.99' });
		expect(await findRows(deps, 'login_history', { user_id: id })).toMatchObject([{ ip: '203.0.113.7' }]);
	});

	test.each([
		undefined,
		{},
		{ email: 'a@b.c' },
		{ email: 1, password: [] },
		[],
		'text',
		null,
		{ email: 'a\0b@example.com', password: 'x' },
		{ email: 'x'.repeat(20_000), password: 'x' },
	])('refuses the body %j with an error message', async (body) => {
		const response = await newClient('198.51.100.50').call('POST', '/api/sign-in', JSON.stringify(body), jsonType);
		expect(response.statusCode).toBeOneOf([401, 422]);
		expect(response.json().message).not.toBe('');
	});
});

describe('the origin check of a write', () => {
	const body = { email: 'known@example.com', password: testPassword };
	test.each([
		['another site', { origin: 'https://evil.example' }],
		['an opaque origin', { origin: 'null' }],
		['a cross-site request', { 'sec-fetch-site': 'cross-site' }],
		['a sibling site', { 'sec-fetch-site': 'same-site' }],
		['a host whose name begins with the host of the server', { origin: 'http://folio.test.evil.example' }],
		['a name of this machine that the request was not sent to', { origin: 'http://localhost:3000' }],
	])('refuses %s with 403 WRONG_ORIGIN and sets no cookie', async (_what, headers) => {
		const response = await newClient('198.51.100.60').call('POST', '/api/sign-in', body, headers);
		expect(response.statusCode).toBe(403);
		expect(response.json().code).toBe('WRONG_ORIGIN');
		expect(response.headers['set-cookie']).toBeUndefined();
	});

	test('refuses an unknown host with the same origin, and names the setting', async () => {
		const headers = { host: 'evil.example', origin: 'http://evil.example', 'sec-fetch-site': 'same-origin' };
		const response = await newClient('198.51.100.60').call('POST', '/api/sign-in', body, headers);
		expect(response.statusCode).toBe(403);
		expect(response.json()).toMatchObject({
			code: 'WRONG_ORIGIN',
			message: expect.stringContaining('set PUBLIC_URL to http://evil.example'),
		});
		expect(response.headers['set-cookie']).toBeUndefined();
	});

	test.each(['localhost:3000', '127.0.0.1:3000', '[::1]:3000'])(
		'accepts %s as host and origin, but not behind a proxy',
		async (host) => {
			const headers = { host, origin: `http://${host}` };
			expect((await newClient().call('POST', '/api/sign-in', body, headers)).statusCode).toBe(200);
			const proxied = await openSecondProcess(testApp, { TRUST_PROXY: '192.0.2.99' });
			const client = createHttpClient(proxied.app);
			expect((await client.call('POST', '/api/sign-in', body, headers)).statusCode).toBe(403);
		},
	);

	test.each([
		['this site', { origin: 'http://folio.test' }],
		['this site according to Sec-Fetch-Site', { 'sec-fetch-site': 'same-origin' }],
		['none, as for an address that the user has typed', { 'sec-fetch-site': 'none' }],
	])('accepts a request whose origin is %s', async (_what, headers) => {
		expect((await newClient().call('POST', '/api/sign-in', body, headers)).statusCode).toBe(200);
	});

	test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/xml'])(
		'returns 415 for the content type %s',
		async (type) => {
			const response = await newClient().call('POST', '/api/sign-in', JSON.stringify(body), { 'content-type': type });
			expect(response.statusCode).toBe(415);
			expect(response.headers['set-cookie']).toBeUndefined();
		},
	);
});

describe('a session', () => {
	test('ends and loses its cookie at sign-out, and other sessions of the user continue', async () => {
		const { client } = await join('two-places@example.com');
		const other = newClient();
		await other.signIn('two-places@example.com', testPassword);
		const stolen = client.cookie();
		const answer = await client.call('POST', '/api/sign-out', {});
		expect(answer.cookies).toMatchObject([{ name: 'folio_session', value: '' }]);
		expect((await newClient().call('GET', '/api/me', undefined, { cookie: stolen })).statusCode).toBe(401);
		expect((await other.call('GET', '/api/me')).statusCode).toBe(200);
	});

	test('is stored only as a hash of its token', async () => {
		const { client } = await join('hashed@example.com');
		const token = /folio_session=([^;]*)/u.exec(client.cookie())?.[1] ?? '';
		const rows = JSON.stringify(await deps.db.selectFrom('sessions').selectAll().execute());
		expect(token).toHaveLength(43);
		expect(rows).not.toContain(token);
	});
});

describe('resetting a password', () => {
	test('sets a password once with a link that is valid for an hour after its mail was sent, and ends every session', async () => {
		const { client } = await join('forgetful@example.com');
		const answer = await requestReset(' Forgetful@example.com ', undefined, { host: 'evil.example' });
		expect(answer.body).toBe('{}');
		// The mail is sent a day after the request.
		testApp.clock.advance(24 * 3600);
		const token = await tokenFromMail('forgetful@example.com');
		expect(token).toHaveLength(43);
		const [mail] = await listMailsTo(testApp, 'forgetful@example.com');
		expect(mail?.text).toContain('http://folio.test/set-password');
		expect(`${mail?.text}${mail?.html}`).not.toContain('evil.example');
		testApp.clock.advance(3599);
		const check = () => newClient().call('POST', '/api/password/check-link', { token });
		expect((await check()).json()).toEqual({ isUsable: true });
		expect((await check()).json()).toEqual({ isUsable: true });

		const stream = await openEventStream(await listen(testApp.app), client.cookie());
		const weak = await setPassword(token, '12345');
		expect(weak.json()).toMatchObject({ status: 422, message: '❌ Password must be at least 6 characters.' });
		const twice = await Promise.all(['first one', 'second one'].map((password) => setPassword(token, password)));
		expect(twice.map(({ statusCode }) => statusCode).sort()).toEqual([200, 410]);
		expect((await check()).json()).toEqual({ isUsable: false });
		expect(await stream.waitFor('ended')).toEqual({ topic: 'ended', reason: 'password' });
		await requireWithinASecond(stream.closed, 'the stream');
		expect((await client.call('GET', '/api/me')).statusCode).toBe(401);
		expect((await trySignIn('forgetful@example.com', testPassword)).statusCode).toBe(401);
		const password = twice[0]?.statusCode === 200 ? 'first one' : 'second one';
		expect((await trySignIn('forgetful@example.com', password)).statusCode).toBe(200);
	});

	test('refuses a link after an hour', async () => {
		await join('late@example.com');
		await requestReset('late@example.com');
		const token = await tokenFromMail('late@example.com');
		testApp.clock.advance(3600);
		const late = await setPassword(token, 'too late now');
		expect(late.json()).toMatchObject({ status: 410, code: 'LINK_INVALID' });
	});

	test('refuses earlier links after a later link has set a password', async () => {
		await join('twice@example.com');
		await requestReset('twice@example.com');
		const first = await tokenFromMail('twice@example.com');
		testApp.clock.advance(1);
		await requestReset('twice@example.com');
		const second = await tokenFromMail('twice@example.com');
		expect(second).not.toBe(first);
		await setPassword(second, 'the newer one');
		expect((await setPassword(first, 'the older one')).statusCode).toBe(410);
	});

	test('returns the same response for an unknown address as for a known address, but sends no mail', async () => {
		const before = (await testApp.runDueWork()).length;
		const unknown = await requestReset('nobody@example.com');
		const known = await requestReset('known@example.com');
		expect([unknown.statusCode, unknown.body]).toEqual([known.statusCode, known.body]);
		expect(await testApp.runDueWork()).toHaveLength(before + 1);
	});

	test.each(['', 'no address', 'a@b', 'a b@example.com', `${'x'.repeat(250)}@example.com`, 'a\0b@example.com'])(
		'refuses the address %j with a field error',
		async (email) => {
			const response = await requestReset(email, '198.51.100.90');
			expect(response.statusCode).toBe(422);
			expect(response.json().fields).toHaveProperty('email');
		},
	);

	test('does not count requests for an account when the rate limit of the IP address refuses them', async () => {
		const ask = async (email: string, from: string) => (await requestReset(email, from)).statusCode;
		for (let i = 0; i < 30; i += 1) await ask(`somebody-${i}@example.com`, '198.51.100.92');
		for (let i = 0; i < 6; i += 1) expect(await ask('spared@example.com', '198.51.100.92')).toBe(429);
		expect(await ask('spared@example.com', '198.51.100.93')).toBe(200);
	});

	test('refuses the sixth request within an hour for one account', async () => {
		const ask = () => requestReset('limited@example.com', '198.51.100.91');
		for (let i = 0; i < 5; i += 1) expect((await ask()).statusCode).toBe(200);
		expect((await ask()).json()).toMatchObject({ status: 429, code: 'TOO_MANY_RESETS' });
		testApp.clock.advance(3601);
		expect((await ask()).statusCode).toBe(200);
	});
});

test('ensureInitialAdmin creates the first owner, and returns the password only once', async () => {
	const fresh = await createTestApp();
	onTestFinished(() => fresh.close());
	const owner = await ensureInitialAdmin(fresh.deps);
	expect(owner?.email).toBe('owner@folio.local');
	expect(owner?.password).toMatch(/^\w+-\d\d-\w+-\w+-\w+$/u);
	expect(await ensureInitialAdmin(fresh.deps)).toBeNull();
	const client = createHttpClient(fresh.app);
	await client.signIn('owner@folio.local', owner?.password ?? '');
	expect((await client.call('GET', '/api/me')).json()).toMatchObject({ role: 'admin', hasInitialPassword: true });
});

test('ensureInitialAdmin creates the owner of ADMIN_EMAIL and does not return ADMIN_PASSWORD', async () => {
	const fresh = await createTestApp({ ADMIN_EMAIL: 'boss@example.com', ADMIN_PASSWORD: 'the boss knows' });
	onTestFinished(() => fresh.close());
	expect(await ensureInitialAdmin(fresh.deps)).toEqual({ email: 'boss@example.com', password: null });
	await createHttpClient(fresh.app).signIn('boss@example.com', 'the boss knows');
});
