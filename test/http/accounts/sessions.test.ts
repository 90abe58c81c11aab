import { describe, expect, test } from 'vitest';
import type { Session } from '#contract/accounts/sessions.ts';
import { resetPasswordByEmail } from '#server/features/accounts/administration/operator-commands.ts';
import { getRow, insertRows } from '../../support/app/database-rows.ts';
import { listen, openEventStream, requireWithinASecond } from '../../support/app/event-streams.ts';
import { createHttpClient, type HttpClient } from '../../support/app/http-client.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { listAuditEntries, listMailsTo, tokenIn } from '../../support/app/test-app.ts';
import { makeUser, testPassword } from '../../support/app/users.ts';

const { testApp, deps, admin } = await openTestApp();
const url = await listen(testApp.app);

const phone =
	'Mozilla/5.0 (Linux; Android 14; SM-A146B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36';

let count = 0;
async function makeMember(): Promise<{ id: string; email: string }> {
	count += 1;
	const email = `member-${count}@example.com`;
	return { id: await makeUser(deps, email), email };
}

async function signIn(email: string, { userAgent = '', ip = '203.0.113.7', password = testPassword } = {}) {
	const client = createHttpClient(testApp.app, ip);
	const answer = await client.call('POST', '/api/sign-in', { email, password }, { 'user-agent': userAgent });
	expect(answer.statusCode).toBe(200);
	return client;
}

const sessionsOf = async (client: HttpClient, path = '/api/sessions') =>
	(await client.call('GET', path)).json() as { items: Session[]; total: number; nextCursor: string | null };
const statusOf = async (client: HttpClient) => (await client.call('GET', '/api/me')).statusCode;
const auditOf = (userId: string) => listAuditEntries(testApp, userId);

describe('the session cookie', () => {
	test('is renewed for thirty days when it is used some days later, and expires thirty days after the last renewal', async () => {
		const { email } = await makeMember();
		const client = await signIn(email);
		expect((await client.call('GET', '/api/me')).cookies).toEqual([]);
		testApp.clock.advance(20 * 24 * 3600);
		const [cookie] = (await client.call('GET', '/api/me')).cookies;
		expect(cookie).toMatchObject({ name: 'folio_session', maxAge: 30 * 24 * 3600, httpOnly: true, sameSite: 'Lax' });
		testApp.clock.advance(20 * 24 * 3600);
		expect(await statusOf(client)).toBe(200);
		testApp.clock.advance(30 * 24 * 3600);
		expect(await statusOf(client)).toBe(401);
		await admin.signIn('admin@example.com', testPassword);
	});

	test('gets 401 instead of 403 from a deactivated user who had signed out before the deactivation', async () => {
		const { id, email } = await makeMember();
		const [signedOut, stayed] = [await signIn(email), await signIn(email)];
		const cookie = signedOut.cookie();
		await signedOut.call('POST', '/api/sign-out', {});
		await admin.call('POST', `/api/users/${id}/active`, { active: false });
		const stranger = createHttpClient(testApp.app);
		expect((await stranger.call('GET', '/api/me', undefined, { cookie })).statusCode).toBe(401);
		expect(await statusOf(stayed)).toBe(403);
	});
});

describe('/api/sessions', () => {
	test('lists the live sessions with their devices, the current session first', async () => {
		const { email } = await makeMember();
		const first = await signIn(email, { userAgent: phone, ip: '198.51.100.7' });
		testApp.clock.advance(60);
		const signedOut = await signIn(email);
		await signedOut.call('POST', '/api/sign-out', {});
		const second = await signIn(email, { userAgent: 'curl/8.5.0' });
		const { items, total } = await sessionsOf(first);
		const { signedInAt, lastSeenAt, ...shown } = items[0] as Session;
		expect(shown).toEqual({
			id: expect.any(String),
			device: { browser: 'Samsung Internet 25', system: 'Android 14', kind: 'phone' },
			ip: '198.51.100.7',
			isThis: true,
		});
		expect(signedInAt <= lastSeenAt).toBe(true);
		expect(items.slice(1)).toMatchObject([
			{ device: { browser: null, system: null, kind: 'unknown' }, isThis: false, ip: '203.0.113.7' },
		]);
		expect(total).toBe(2);
		expect((await sessionsOf(second)).items.map(({ isThis }) => isThis)).toEqual([true, false]);
		testApp.clock.advance(31 * 24 * 3600);
		expect(await sessionsOf(await signIn(email))).toMatchObject({ total: 1 });
		await admin.signIn('admin@example.com', testPassword);
	});

	test('lists each session once across pages', async () => {
		const { id, email } = await makeMember();
		const client = await signIn(email);
		for (let i = 0; i < 6; i += 1) await signIn(email);
		const pages = [await sessionsOf(client, '/api/sessions?limit=4')];
		pages.push(await sessionsOf(client, `/api/sessions?limit=4&cursor=${pages[0]?.nextCursor}`));
		expect(pages.map(({ items }) => items.length)).toEqual([5, 2]);
		expect(pages[1]?.nextCursor).toBeNull();
		const listedForAdmin = await sessionsOf(admin, `/api/users/${id}/sessions`);
		expect(listedForAdmin.items.map((item) => item.id).toSorted()).toEqual(
			pages.flatMap(({ items }) => items.map((item) => item.id)).toSorted(),
		);
		expect((await client.call('GET', '/api/sessions?cursor=nonsense')).statusCode).toBe(422);
	});

	test('ends another session of the user and its event stream, and returns 404 when this is repeated', async () => {
		const { id, email } = await makeMember();
		const here = await signIn(email);
		const there = await signIn(email);
		const [ownStream, otherStream] = await Promise.all(
			[here, there].map((client) => openEventStream(url, client.cookie())),
		);
		const other = (await sessionsOf(here)).items[1]?.id;
		expect((await here.call('DELETE', `/api/sessions/${other}`)).statusCode).toBe(200);
		expect(await otherStream?.waitFor('ended')).toEqual({ topic: 'ended', reason: 'device' });
		await requireWithinASecond(otherStream?.closed ?? Promise.reject(), 'the stream');
		expect([await statusOf(there), await statusOf(here)]).toEqual([401, 200]);
		await ownStream?.waitFor('sessions');
		expect(ownStream?.events).toEqual([{ topic: 'sessions' }]);
		expect((await here.call('DELETE', `/api/sessions/${other}`)).statusCode).toBe(404);
		expect(await auditOf(id)).toMatchObject([
			{ action: 'sessions-ended', actor_email: email, detail: '{"count":1}', ip: '203.0.113.7' },
		]);
		ownStream?.close();
	});

	test('returns 404 for a session of another user, also to an admin who sends the wrong user ID', async () => {
		const victim = await makeMember();
		const victimClient = await signIn(victim.email);
		const { id: sessionId } = (await sessionsOf(victimClient)).items[0] as Session;
		const stranger = await makeMember();
		const client = await signIn(stranger.email);
		const refused = await client.call('DELETE', `/api/sessions/${sessionId}`);
		const absent = await client.call('DELETE', '/api/sessions/AAAAAAAAAAAAAAAAAAAAAA');
		expect([refused.statusCode, refused.body]).toEqual([404, absent.body]);
		for (const id of [stranger.id, 'nobody'])
			expect((await admin.call('DELETE', `/api/users/${id}/sessions/${sessionId}`)).statusCode).toBe(404);
		expect(await statusOf(victimClient)).toBe(200);
		expect((await admin.call('GET', '/api/users/nobody/sessions')).statusCode).toBe(404);
		expect((await admin.call('POST', '/api/users/nobody/sessions/end-all', {})).statusCode).toBe(404);
	});

	test('an admin can end one or all sessions of another user, and the session of the admin continues', async () => {
		const { id, email } = await makeMember();
		const devices = [await signIn(email), await signIn(email), await signIn(email)];
		const first = (await sessionsOf(devices[0] as HttpClient)).items[0]?.id;
		expect((await admin.call('DELETE', `/api/users/${id}/sessions/${first}`)).statusCode).toBe(200);
		expect(await Promise.all(devices.map(statusOf))).toEqual([401, 200, 200]);
		// The web app sends no body when all inputs are in the path.
		expect((await admin.call('POST', `/api/users/${id}/sessions/end-all`)).json()).toEqual({ ended: 2 });
		expect(await Promise.all(devices.map(statusOf))).toEqual([401, 401, 401]);
		const me = (await admin.call('GET', '/api/me')).json().id;
		await admin.call('POST', `/api/users/${me}/sessions/end-all`, {});
		expect(await statusOf(admin)).toBe(200);
	});

	test('ends all other sessions, also 451 sessions, whose IDs do not fit in one message of the event bus', async () => {
		const { id, email } = await makeMember();
		const here = await signIn(email);
		const row = await getRow(deps, 'sessions', { user_id: id });
		const there = await signIn(email);
		const rows = Array.from({ length: 450 }, (_, i) => {
			return { ...row, id: `many-${id.slice(0, 8)}-${i}`.padEnd(22, '-'), token_hash: `${id}-${i}` };
		});
		await insertRows(deps, 'sessions', rows);
		expect((await here.call('POST', '/api/sessions/end-others', {})).json()).toEqual({ ended: 451 });
		expect(await Promise.all([there, here].map(statusOf))).toEqual([401, 200]);
		expect((await here.call('POST', '/api/sessions/end-others', {})).json()).toEqual({ ended: 0 });
	});
});

test('resetPasswordByEmail ends every session of the user and sets a new password', async () => {
	const { email } = await makeMember();
	const client = await signIn(email);
	const stream = await openEventStream(url, client.cookie());
	const password = await resetPasswordByEmail(deps, email);
	expect(await stream.waitFor('ended')).toEqual({ topic: 'ended', reason: 'password' });
	await requireWithinASecond(stream.closed, 'the stream');
	expect(await statusOf(client)).toBe(401);
	await signIn(email, { password: password ?? '' });
	expect(await resetPasswordByEmail(deps, 'nobody@example.com')).toBeNull();
});

describe('POST /api/password/change', () => {
	const change = (client: HttpClient, currentPassword: string, password = 'a brand new one') =>
		client.call('POST', '/api/password/change', { currentPassword, password });

	test('ends all other sessions and all event streams, and gives the current session a new cookie', async () => {
		const { id, email } = await makeMember();
		await deps.db.updateTable('users').set({ has_initial_password: 1 }).where('id', '=', id).execute();
		const here = await signIn(email);
		const there = await signIn(email);
		await here.call('POST', '/api/password/request-reset', { email });
		const [mail] = await listMailsTo(testApp, email);
		const link = tokenIn(mail);
		const oldCookie = here.cookie();
		const [ownStream, otherStream] = await Promise.all(
			[here, there].map((client) => openEventStream(url, client.cookie())),
		);
		const before = (await sessionsOf(here)).items[0]?.id;

		const answer = await change(here, testPassword);
		expect(answer.statusCode).toBe(200);
		expect(answer.cookies.map(({ name }) => name)).toEqual(['folio_session']);
		expect(await otherStream?.waitFor('ended')).toEqual({ topic: 'ended', reason: 'password' });
		await requireWithinASecond(Promise.all([ownStream?.closed, otherStream?.closed]), 'both streams');
		// Without an `ended` event, the browser reopens its event stream with the new cookie.
		expect(ownStream?.events).not.toContainEqual(expect.objectContaining({ topic: 'ended' }));
		// These events would make the browser send requests with the old cookie, which return 401.
		expect(ownStream?.events.filter(({ topic }) => topic === 'sessions' || topic === 'users')).toEqual([]);

		expect(here.cookie()).not.toBe(oldCookie);
		expect([await statusOf(here), await statusOf(there)]).toEqual([200, 401]);
		const stale = createHttpClient(testApp.app);
		expect((await stale.call('GET', '/api/me', undefined, { cookie: oldCookie })).statusCode).toBe(401);
		expect((await here.call('GET', '/api/me')).json()).toMatchObject({ hasInitialPassword: false });
		expect(await sessionsOf(here)).toMatchObject({ total: 1, items: [{ id: before, isThis: true }] });
		const viaLink = await stale.call('POST', '/api/password/set', { token: link, password: 'by the old link' });
		expect(viaLink.statusCode).toBe(410);
		await signIn(email, { password: 'a brand new one' });
		expect((await auditOf(id)).map(({ action }) => action)).toEqual(['password-changed']);
		const kept = JSON.stringify(await deps.db.selectFrom('audit').selectAll().execute());
		expect(kept).not.toContain('a brand new one');
	});

	test('returns a field error for a wrong current password, and counts it as a failed sign-in', async () => {
		const { email } = await makeMember();
		const client = await signIn(email);
		const other = await signIn(email);
		for (let i = 0; i < 10; i += 1) {
			const wrong = await change(client, `guess ${i}`);
			expect(wrong.statusCode).toBe(422);
			const fields = { currentPassword: 'This is not your current password.' };
			expect(wrong.json()).toMatchObject({ code: 'CURRENT_PASSWORD_WRONG', fields });
		}
		const eleventh = await change(client, testPassword);
		expect(eleventh.json()).toMatchObject({ status: 429, code: 'TOO_MANY_SIGN_INS' });
		expect([await statusOf(client), await statusOf(other)]).toEqual([200, 200]);
		expect((await client.call('POST', '/api/sign-in', { email, password: testPassword })).statusCode).toBe(429);
		testApp.clock.advance(15 * 60 + 1);
		expect((await change(client, testPassword)).statusCode).toBe(200);
	});

	test('refuses a short password without counting it as a failed sign-in', async () => {
		const { email } = await makeMember();
		const client = await signIn(email);
		const refusal = { code: 'WEAK_PASSWORD', fields: { password: '❌ Password must be at least 6 characters.' } };
		for (let i = 0; i < 11; i += 1) expect((await change(client, testPassword, '12345')).json()).toMatchObject(refusal);
		expect((await change(client, testPassword)).statusCode).toBe(200);
	});

	test('accepts one of two simultaneous changes, and only the session of the accepted change continues', async () => {
		const { email } = await makeMember();
		const devices = [await signIn(email), await signIn(email)];
		const answers = await Promise.all(devices.map((client, i) => change(client, testPassword, `password ${i}`)));
		expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 401]);
		const winner = answers.findIndex(({ statusCode }) => statusCode === 200);
		expect(await Promise.all(devices.map(statusOf))).toEqual([winner === 0 ? 200 : 401, winner === 1 ? 200 : 401]);
		await signIn(email, { password: `password ${winner}` });
	});
});

describe('POST /api/email/change', () => {
	test('changes the address of an admin who knows the password, and revokes links mailed to the old one', async () => {
		const { id, email } = await makeMember();
		await testApp.deps.db.updateTable('users').set({ role: 'admin' }).where('id', '=', id).execute();
		const client = await signIn(email);
		const other = await signIn(email);
		await client.call('POST', '/api/password/request-reset', { email });
		const link = tokenIn((await listMailsTo(testApp, email))[0]);
		const change = async (to: string, currentPassword = testPassword) =>
			(await client.call('POST', '/api/email/change', { email: to, currentPassword })).json();
		expect(await change('own.address@example.com', 'a guess')).toMatchObject({ code: 'CURRENT_PASSWORD_WRONG' });
		expect(await change('own.address')).toMatchObject({ code: 'EMAIL_INVALID' });
		const { email: taken } = await makeMember();
		expect(await change(taken.toUpperCase())).toMatchObject({
			code: 'EMAIL_IN_USE',
			fields: { email: expect.any(String) },
		});
		expect(await change(' Own.Address@example.com ')).toEqual({});
		for (const session of [client, other])
			expect((await session.call('GET', '/api/me')).json()).toMatchObject({ id, email: 'Own.Address@example.com' });
		await signIn('own.address@example.com');
		const body = { token: link, password: 'by the old link' };
		expect((await client.call('POST', '/api/password/set', body)).statusCode).toBe(410);
		expect((await client.call('GET', '/api/users?search=own.address')).json()).toMatchObject({ total: 1 });
		const [entry] = await auditOf(id);
		expect([entry?.action, JSON.parse(entry?.detail ?? '')]).toEqual([
			'email-changed',
			{ from: email, to: 'Own.Address@example.com' },
		]);
	});
});
