import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findRows, getRow } from '../../support/app/database-rows.ts';
import { listen, openEventStream } from '../../support/app/event-streams.ts';
import { createHttpClient, type HttpClient } from '../../support/app/http-client.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { createTestApp, listAuditEntries, type TestApp } from '../../support/app/test-app.ts';
import { makeSignedInUser, makeUser, testPassword } from '../../support/app/users.ts';

const { testApp, deps, admin, adminId } = await openTestApp({ RATE_LIMIT_FACTOR: '1000' });
const url = await listen(testApp.app);

async function rowOf(id: string) {
	const { role, active, login_count: loginCount } = await getRow(deps, 'users', { id });
	return { role, active, loginCount };
}

describe('POST /api/users/:id/role', () => {
	test('applies the new role immediately to open sessions and event streams, and writes audit entries', async () => {
		const { id, client: promoted } = await makeSignedInUser(testApp, 'riser@example.com');
		const events = await openEventStream(url, promoted.cookie());
		expect((await promoted.call('GET', '/api/users')).statusCode).toBe(403);

		const changed = await admin.call('POST', `/api/users/${id}/role`, { role: 'admin' });
		expect(changed.json()).toMatchObject({ id, role: 'admin', active: true });
		expect((await promoted.call('GET', '/api/me')).json()).toMatchObject({ role: 'admin' });
		expect((await promoted.call('GET', '/api/users')).statusCode).toBe(200);
		await events.waitFor('users');

		// Only the event streams of admins receive this event.
		deps.bus.publish({ kind: 'event', audience: { to: 'admins' }, event: { topic: 'orders' } });
		await events.waitFor('orders');
		await admin.call('POST', `/api/users/${id}/role`, { role: 'user' });
		expect((await promoted.call('GET', '/api/users')).statusCode).toBe(403);
		deps.bus.publish({ kind: 'event', audience: { to: 'admins' }, event: { topic: 'outbox' } });
		deps.bus.publish({ kind: 'event', audience: { to: 'everyone' }, event: { topic: 'book-settings' } });
		await events.waitFor('book-settings');
		expect(events.events.map(({ topic }) => topic)).not.toContain('outbox');
		events.close();

		const audit = await listAuditEntries(testApp, id);
		expect(audit.map(({ detail }) => JSON.parse(detail))).toEqual(
			expect.arrayContaining([
				{ email: 'riser@example.com', from: 'user', to: 'admin' },
				{ email: 'riser@example.com', from: 'admin', to: 'user' },
			]),
		);
		expect(audit.every((entry) => entry.action === 'user-role-changed' && entry.actor_id === adminId)).toBe(true);
	});

	test('returns 422 for an unknown role and 404 for an unknown user', async () => {
		expect((await admin.call('POST', `/api/users/${adminId}/role`, { role: 'owner' })).statusCode).toBe(422);
		const unknown = await admin.call('POST', '/api/users/AAAAAAAAAAAAAAAAAAAAAA/role', { role: 'admin' });
		expect(unknown.statusCode).toBe(404);
		expect((await rowOf(adminId)).role).toBe('admin');
	});
});

describe('the last active admin', () => {
	type Act = (client: HttpClient, id: string) => ReturnType<HttpClient['call']>;
	const demote: Act = (client, id) => client.call('POST', `/api/users/${id}/role`, { role: 'user' });
	const deactivate: Act = (client, id) => client.call('POST', `/api/users/${id}/active`, { active: false });
	let separateApp: TestApp;
	let firstAdmin: Awaited<ReturnType<typeof makeSignedInUser>>;
	let secondAdmin: typeof firstAdmin;
	beforeAll(async () => {
		separateApp = await createTestApp({ RATE_LIMIT_FACTOR: '1000' });
		firstAdmin = await makeSignedInUser(separateApp, 'one@example.com', 'admin');
		secondAdmin = await makeSignedInUser(separateApp, 'two@example.com', 'admin');
	});
	afterAll(() => separateApp.close());

	test.each([
		['two admins demote each other', demote, demote],
		['two admins deactivate each other', deactivate, deactivate],
		['one admin demotes while the other deactivates', demote, deactivate],
	])('remains when %s at the same time', async (_what, first, second) => {
		for (let round = 0; round < 5; round += 1) {
			await separateApp.deps.db.updateTable('users').set({ role: 'admin', active: 1 }).execute();
			await firstAdmin.client.signIn('one@example.com', testPassword);
			await secondAdmin.client.signIn('two@example.com', testPassword);
			const answers = await Promise.all([
				first(firstAdmin.client, secondAdmin.id),
				second(secondAdmin.client, firstAdmin.id),
			]);
			expect(await findRows(separateApp.deps, 'users', { role: 'admin', active: 1 })).toHaveLength(1);
			expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
		}
	});

	test('cannot demote or deactivate themselves', async () => {
		await separateApp.deps.db.updateTable('users').set({ role: 'user' }).execute();
		const { id, client: only } = await makeSignedInUser(separateApp, 'only@example.com', 'admin');
		const asleep = await makeUser(separateApp.deps, 'asleep@example.com', 'admin');
		await deactivate(only, asleep);
		const refusals = [
			{ status: 409, code: 'LAST_ADMIN_ROLE', message: 'The last active admin cannot lose the role.' },
			{ status: 409, code: 'LAST_ADMIN', message: 'The last active admin cannot be deactivated.' },
		];
		expect([(await demote(only, id)).json(), (await deactivate(only, id)).json()]).toMatchObject(refusals);
		expect((await only.call('GET', '/api/me')).statusCode).toBe(200);
		// Another admin is still active.
		expect((await demote(only, asleep)).statusCode).toBe(200);
	});
});

describe('forged values of role, active and loginCount', () => {
	const forged = { role: 'admin', active: false, loginCount: 99, login_count: 99, id: 'mine', name: 'Forged' };

	test.each([
		['GET', '/api/me', undefined],
		['POST', '/api/sign-in', { email: 'plain@example.com', password: testPassword }],
		['POST', '/api/password/request-reset', { email: 'plain@example.com' }],
		['POST', '/api/password/check-link', { token: 'x' }],
		['POST', '/api/password/set', { token: 'x', password: 'abcdef' }],
		['POST', '/api/users', { email: 'plain@example.com', password: 'abcdef' }],
		['POST', '/api/users/register', { email: 'plain@example.com', password: 'abcdef' }],
		['POST', '/api/users/:id/active', { active: true }],
		['POST', '/api/users/:id/role', { role: 'user' }],
		['POST', '/api/sign-out', {}],
	] as const)('change no user when a member or an admin sends them to %s %s', async (method, path, body) => {
		const email = 'plain@example.com';
		const [known] = await findRows(deps, 'users', { email });
		const person = known?.id ?? (await makeUser(deps, email));
		const userClient = createHttpClient(testApp.app, '203.0.113.8');
		await userClient.signIn(email, testPassword);
		const before = await rowOf(person);
		const target = path.replace(':id', person);
		const isSignIn = path === '/api/sign-in';
		for (const client of isSignIn || path === '/api/sign-out' ? [userClient] : [userClient, admin]) {
			const query = '?role=admin&active=false&loginCount=99';
			await client.call(method, target + query, body && { ...forged, ...body });
		}
		expect(await rowOf(person)).toEqual({ ...before, loginCount: before.loginCount + (isSignIn ? 1 : 0) });
	});
});

test('POST /api/users/register creates an active user with the role user, also without the web app', async () => {
	const ignored = { role: 'admin', active: false, loginCount: 7 };
	const register = () =>
		fetch(`${url}/api/users/register`, {
			method: 'POST',
			headers: { cookie: admin.cookie(), 'content-type': 'application/json' },
			body: JSON.stringify({ email: 'literal@example.com', password: 'Asha Verma', ...ignored }),
		});
	const answer = await register();
	expect(answer.status).toBe(200);
	const made = (await answer.json()) as { id: string };
	expect(made).toEqual({ id: expect.any(String), email: 'literal@example.com', role: 'user', active: true });
	await createHttpClient(testApp.app).signIn('literal@example.com', 'Asha Verma');
	expect(await rowOf(made.id)).toEqual({ role: 'user', active: 1, loginCount: 1 });
	const again = await register();
	expect([again.status, await again.json()]).toMatchObject([409, { message: '❌ Email already in use.' }]);
});
