import { expect } from 'vitest';
import { findRows } from '../../support/app/database-rows.ts';
import { createHttpClient } from '../../support/app/http-client.ts';
import { testPassword } from '../../support/app/users.ts';
import type { AccessFixture } from '../access-fixture.ts';
import { type AccessCalls, type Check, call, equals, matches } from './access-call.ts';

/** Creates another session of a user. @returns the ID and the cookie of the session */
async function signInAgain(fixture: AccessFixture, email: string): Promise<{ id: string; cookie: string }> {
	const client = createHttpClient(fixture.app);
	await client.signIn(email, testPassword);
	const { items } = (await client.call('GET', '/api/sessions')).json();
	return { id: items[0].id, cookie: client.cookie() };
}

async function statusOf(fixture: AccessFixture, cookie: string): Promise<number> {
	return (await fixture.send('A', 'GET', { url: '/api/me', cookie })).statusCode;
}

/** Checks that the session whose cookie is the target has ended. */
const isSignedOut: Check = async (fixture, _response, { target = '' }) =>
	expect(await statusOf(fixture, target)).toBe(401);

const forNewSession =
	(url: (userId: string, sessionId: string) => string, body?: object) => async (fixture: AccessFixture) => {
		const { id, email } = await fixture.freshUser();
		const session = await signInAgain(fixture, email);
		return { url: url(id, session.id), body, target: session.cookie };
	};

export const ownSessionCalls: AccessCalls = {
	'GET /api/sessions': call('?limit=1', async (fixture, response, _request, actor) => {
		const { items, total } = response.json();
		expect(items[0]).toMatchObject({ isThis: true, ip: '203.0.113.7' });
		const rows = await findRows(fixture.deps, 'sessions', { user_id: fixture.userIds[actor] ?? '', ended_at: null });
		expect(total).toBe(rows.length);
		expect(rows.map(({ id }) => id)).toContain(items[0].id);
	}),
	'POST /api/sessions/end-others': call(
		// An allowed call uses a new user, because other tests need the sessions of the actor.
		async (fixture, actor) => {
			if (actor !== 'O' && actor !== 'D') return { body: {} };
			const { cookie, email } = await fixture.freshSession();
			const other = await signInAgain(fixture, email);
			return { body: {}, cookie, target: other.cookie };
		},
		async (fixture, response, { cookie = '', target = '' }) => {
			expect(response.json()).toEqual({ ended: 1 });
			expect([await statusOf(fixture, target), await statusOf(fixture, cookie)]).toEqual([401, 200]);
		},
	),
	'DELETE /api/sessions/:id': call(
		async (fixture, actor) => {
			const email = { X: 'bystander@example.com', D: 'admin@example.com' }[actor as string] ?? 'own@example.com';
			const { id, cookie } = await signInAgain(fixture, email);
			return { url: `/api/sessions/${id}`, target: cookie };
		},
		equals({}),
		isSignedOut,
	),
	'POST /api/password/change': call(
		async (fixture, actor) => {
			const body = { currentPassword: testPassword, password: 'another word' };
			if (actor !== 'O' && actor !== 'D') return { body };
			const { cookie, email } = await fixture.freshSession();
			return { body, cookie, target: email };
		},
		async (fixture, response, { cookie = '', target }) => {
			expect(response.json()).toEqual({});
			expect(await statusOf(fixture, cookie)).toBe(401);
			const body = { email: target, password: 'another word' };
			expect((await fixture.send('A', 'POST', { url: '/api/sign-in', body })).statusCode).toBe(200);
		},
	),
};

export const adminSessionCalls: AccessCalls = {
	'POST /api/email/change': call(
		async (fixture, actor) => {
			const body = { currentPassword: testPassword, email: 'new-owner@example.com' };
			if (actor !== 'D') return { body };
			const { cookie, id } = await fixture.freshSession();
			await fixture.deps.db.updateTable('users').set({ role: 'admin' }).where('id', '=', id).execute();
			return { body, cookie };
		},
		async (fixture, response) => {
			expect(response.json()).toEqual({});
			const body = { email: 'new-owner@example.com', password: testPassword };
			expect((await fixture.send('A', 'POST', { url: '/api/sign-in', body })).statusCode).toBe(200);
		},
	),
	'GET /api/users/:id/sessions': call(
		async (fixture) => {
			const { id, email } = await fixture.freshUser();
			const session = await signInAgain(fixture, email);
			return { url: `/api/users/${id}/sessions`, target: session.id };
		},
		matches(({ target }) => ({ total: 1, items: [{ id: target, isThis: false }] })),
	),
	'DELETE /api/users/:id/sessions/:sessionId': call(
		forNewSession((id, sessionId) => `/api/users/${id}/sessions/${sessionId}`),
		equals({}),
		isSignedOut,
	),
	'POST /api/users/:id/sessions/end-all': call(
		forNewSession((id) => `/api/users/${id}/sessions/end-all`, {}),
		equals({ ended: 1 }),
		isSignedOut,
	),
};
