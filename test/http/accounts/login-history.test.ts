import { expect, test } from 'vitest';
import { listen, openEventStream } from '../../support/app/event-streams.ts';
import { createHttpClient } from '../../support/app/http-client.ts';
import { readAllItems } from '../../support/app/lists.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { makeSignedInUser, makeUser, testPassword } from '../../support/app/users.ts';

const { testApp, deps, admin } = await openTestApp();

const path = (email: string, more = '') => `/api/login-history?email=${encodeURIComponent(email)}${more}`;
const historyOf = async (email: string, more = '') => (await admin.call('GET', path(email, more))).json();

const phone =
	'Mozilla/5.0 (Linux; Android 15; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36';

test('the login history lists each sign-in with the specified fields, newest first', async () => {
	const id = await makeUser(deps, 'asha@example.com');
	const first = testApp.clock.now().toISOString();
	await createHttpClient(testApp.app, '198.51.100.1').signIn('asha@example.com', testPassword);
	testApp.clock.advance(60);
	const second = testApp.clock.now().toISOString();
	const body = { email: 'ASHA@example.com', password: testPassword };
	const client = createHttpClient(testApp.app, '198.51.100.2');
	const answer = await client.call('POST', '/api/sign-in', body, { 'user-agent': phone });
	expect(answer.statusCode).toBe(200);
	expect((await client.call('POST', '/api/sign-in', { ...body, password: 'wrong' })).statusCode).toBe(401);
	const history = await historyOf('Asha@Example.com');
	expect(history).toMatchObject({
		person: { id, email: 'asha@example.com', name: null, active: true, loginCount: 2 },
		items: [
			{
				lastLogin: second,
				loginCount: 2,
				browserInfo: phone,
				ipAddresses: [{ ip: '198.51.100.2', loginNumber: 2, timestamp: second }],
				device: { browser: 'Chrome 142', system: 'Android 15', kind: 'phone' },
			},
			{ lastLogin: first, loginCount: 1, ipAddresses: [{ ip: '198.51.100.1', loginNumber: 1, timestamp: first }] },
		],
		nextCursor: null,
	});
	expect(JSON.stringify(history)).not.toMatch(/password|token|hash/iu);
});

test('returns an empty history before the first sign-in, 404 for an unknown address and 422 without an address', async () => {
	await makeUser(deps, 'new@example.com');
	expect(await historyOf('new@example.com')).toMatchObject({ person: { loginCount: 0 }, items: [], nextCursor: null });
	expect(await historyOf('nobody@example.com')).toMatchObject({ status: 404, code: 'NOT_FOUND' });
	expect((await admin.call('GET', '/api/login-history')).statusCode).toBe(422);
	expect((await admin.call('GET', path('new@example.com', '&cursor=x'))).statusCode).toBe(422);
});

test('lists 50 simultaneous sign-ins in order, in pages', async () => {
	await makeUser(deps, 'many@example.com');
	const clients = Array.from({ length: 50 }, (_, i) => createHttpClient(testApp.app, `198.51.100.${i}`));
	await Promise.all(clients.map((client) => client.signIn('many@example.com', testPassword)));
	expect((await historyOf('many@example.com')).person.loginCount).toBe(50);
	const entries = await readAllItems<{ loginCount: number }>(admin, path('many@example.com', '&limit=7'));
	expect(entries.map(({ loginCount }) => loginCount)).toEqual(Array.from({ length: 50 }, (_, i) => 50 - i));
});

test('publishes a sign-in on the event streams of admins, but not on the event stream of the member', async () => {
	const { client: member } = await makeSignedInUser(testApp, 'heard@example.com');
	const url = await listen(testApp.app);
	const [adminStream, memberStream] = await Promise.all(
		[admin, member].map((client) => openEventStream(url, client.cookie())),
	);
	await createHttpClient(testApp.app).signIn('heard@example.com', testPassword);
	expect(await adminStream?.waitFor('logins')).toEqual({ topic: 'logins' });
	// The member may receive an event about their sessions.
	expect(memberStream?.events.map(({ topic }) => topic)).not.toContain('logins');
	for (const stream of [adminStream, memberStream]) stream?.close();
});
