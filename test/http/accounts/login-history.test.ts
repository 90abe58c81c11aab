import { expect, test } from 'vitest';
import { listen, openEventStream } from '../../support/app/event-streams.ts';
import { createHttpClient } from '../../support/app/http-client.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { makeSignedInUser, makeUser, testPassword } from '../../support/app/users.ts';

const { world, admin } = await openTestApp();

const path = (email: string, more = '') => `/api/login-history?email=${encodeURIComponent(email)}${more}`;
const historyOf = async (email: string, more = '') => (await admin.call('GET', path(email, more))).json();

const phone =
	'Mozilla/5.0 (Linux; Android 15; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36';

test('the login history lists each sign-in with the specified fields, the newest first', async () => {
	const id = await makeUser(world.deps, 'asha@example.com');
	const first = world.clock.now().toISOString();
	await createHttpClient(world.app, '198.51.100.1').signIn('asha@example.com', testPassword);
	world.clock.advance(60);
	const second = world.clock.now().toISOString();
	const body = { email: 'ASHA@example.com', password: testPassword };
	const client = createHttpClient(world.app, '198.51.100.2');
	const answer = await client.call('POST', '/api/sign-in', body, { 'user-agent': phone });
	expect(answer.statusCode).toBe(200);
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

test('returns an empty history before a sign-in, 404 for an unknown address and 422 without an address', async () => {
	await makeUser(world.deps, 'new@example.com');
	expect(await historyOf('new@example.com')).toMatchObject({ person: { loginCount: 0 }, items: [], nextCursor: null });
	expect(await historyOf('nobody@example.com')).toMatchObject({ status: 404, code: 'NOT_FOUND' });
	expect((await admin.call('GET', '/api/login-history')).statusCode).toBe(422);
	expect((await admin.call('GET', path('new@example.com', '&cursor=x'))).statusCode).toBe(422);
});

test('lists 50 simultaneous sign-ins as 50 entries, in order and in pages', async () => {
	await makeUser(world.deps, 'many@example.com');
	const clients = Array.from({ length: 50 }, (_, i) => createHttpClient(world.app, `198.51.100.${i}`));
	await Promise.all(clients.map((client) => client.signIn('many@example.com', testPassword)));
	const counts: number[] = [];
	for (let cursor = ''; ; ) {
		const page = await historyOf('many@example.com', `&limit=7&cursor=${encodeURIComponent(cursor)}`);
		expect(page.person.loginCount).toBe(50);
		counts.push(...page.items.map(({ loginCount }: { loginCount: number }) => loginCount));
		if (page.nextCursor === null) break;
		cursor = page.nextCursor;
	}
	expect(counts).toEqual(Array.from({ length: 50 }, (_, i) => 50 - i));
});

test('does not show the login history of a deleted user for a new user with the same address', async () => {
	const id = await makeUser(world.deps, 'again@example.com');
	await createHttpClient(world.app).signIn('again@example.com', testPassword);
	await world.deps.db.deleteFrom('users').where('id', '=', id).execute();
	await makeUser(world.deps, 'again@example.com');
	expect(await historyOf('again@example.com')).toMatchObject({ person: { loginCount: 0 }, items: [] });
});

test('publishes a sign-in to the event streams of admins and not to that of the member', async () => {
	const { client: member } = await makeSignedInUser(world, 'heard@example.com');
	const url = await listen(world.app);
	const [desk, theirs] = await Promise.all([admin, member].map((client) => openEventStream(url, client.cookie())));
	await createHttpClient(world.app).signIn('heard@example.com', testPassword);
	expect(await desk?.waitFor('logins')).toEqual({ topic: 'logins' });
	// The member's stream may carry other events, because the list of their own sessions has changed.
	expect(theirs?.events.map(({ topic }) => topic)).not.toContain('logins');
	for (const stream of [desk, theirs]) stream?.close();
});
