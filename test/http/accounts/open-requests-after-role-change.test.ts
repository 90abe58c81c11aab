import { EventEmitter } from 'node:events';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { resolveSession } from '#server/platform/auth/sessions/sessions.ts';
import { abortOnSessionEnd } from '#server/platform/http/abort-on-session-end.ts';
import { listen, openEventStream, requireWithinASecond } from '../../support/app/event-streams.ts';
import { createHttpClient, type HttpClient } from '../../support/app/http-client.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { downloadSlowly } from '../../support/app/slow-download.ts';
import { makeSignedInUser, makeUser, testPassword } from '../../support/app/users.ts';
import { makeFile } from '../../support/fixtures/files.ts';
import { setUpTwoFactor } from '../../support/fixtures/two-factor.ts';
import { beginUpload, beginWholeUpload, sendFirstBytes } from '../../support/fixtures/uploads.ts';

const { testApp, deps, admin } = await openTestApp();
const url = await listen(testApp.app);
const bytes = Buffer.alloc(16 * 1024 * 1024, 'x');

// Waits until the server has noticed all closed connections, because the next test counts open connections.
afterEach(() => expect.poll(() => deps.live.count()).toBe(0));

/** Starts an upload and sends only its first ten bytes. */
async function beginSlowUpload(
	client: HttpClient,
	owner: string,
	filename: string,
): Promise<{ closed: Promise<number> }> {
	const created = await beginUpload(client, { owner, filename }, 1000);
	return { closed: sendFirstBytes(url, client, String(created.headers.location), Buffer.alloc(10), 1000).status };
}
const beginDownload = (client: HttpClient, fileId: string) =>
	downloadSlowly(url, client, `/api/files/${fileId}/content`);

test('aborts the open upload of an admin who gets the role user, but keeps the session', async () => {
	const { id, client: other } = await makeSignedInUser(testApp, 'former-admin@example.com', 'admin', '203.0.113.78');
	const upload = await beginSlowUpload(other, 'guest', 'too late.bin');
	const small = beginWholeUpload(
		url,
		other,
		{ owner: 'guest', filename: 'too late and small.bin' },
		Buffer.alloc(10),
		99,
	);
	await expect.poll(() => deps.live.count()).toBe(2);
	expect((await admin.call('POST', `/api/users/${id}/role`, { role: 'user' })).statusCode).toBe(200);
	await requireWithinASecond(upload.closed, 'the upload');
	await requireWithinASecond(small.status, 'the upload in one request');
	expect((await other.call('GET', '/api/me')).json()).toMatchObject({ role: 'user' });
	expect((await admin.call('GET', '/api/spaces/guest/nodes?search=too%20late')).json().items).toEqual([]);
});

test('aborts the transfers of an admin without two-factor sign-in when it becomes required of admins', async () => {
	const { client: other } = await makeSignedInUser(testApp, 'other-admin@example.com', 'admin', '203.0.113.77');
	const fileId = await makeFile(deps, { ownerId: 'guest', name: 'Long.bin', bytes });
	const download = await beginDownload(other, fileId);
	const upload = await beginSlowUpload(other, 'guest', 'other long.bin');
	await expect.poll(() => deps.live.count()).toBe(2);
	await setUpTwoFactor(testApp, (path, body) => admin.call('POST', path, body));
	const require = (isRequiredOfAdmins: boolean) => admin.call('PUT', '/api/settings/security', { isRequiredOfAdmins });
	expect((await require(true)).statusCode).toBe(200);
	await requireWithinASecond(Promise.all([download.finish(), upload.closed]), 'download and upload');
	expect(download.received()).toBeLessThan(bytes.length);
	expect((await other.call('GET', '/api/me')).json()).toMatchObject({ mustSetUpTwoFactor: true });
	await require(false);
	expect((await other.call('GET', '/api/users')).statusCode).toBe(200);
});

test.each(['user', 'admin'] as const)(
	'aborts the event streams and transfers of a deactivated %s on two devices, and refuses further requests',
	async (role) => {
		const email = `busy-${role}@example.com`;
		const id = await makeUser(deps, email, role);
		const fileId = await makeFile(deps, { ownerId: id, name: 'long.bin', bytes });
		const devices = await Promise.all(
			['198.51.100.1', '198.51.100.2'].map(async (ip) => {
				const client = createHttpClient(testApp.app, ip);
				await client.signIn(email, testPassword);
				const stream = await openEventStream(url, client.cookie());
				const download = await beginDownload(client, fileId);
				const upload = role === 'admin' ? await beginSlowUpload(client, email, `slow ${ip}.bin`) : null;
				return { client, stream, download, upload };
			}),
		);
		const requestsPerDevice = role === 'admin' ? 3 : 2;
		await expect.poll(() => deps.live.count()).toBe(devices.length * requestsPerDevice);

		const answer = await admin.call('POST', `/api/users/${id}/active`, { active: false });
		expect(answer.statusCode).toBe(200);
		const ends = devices.flatMap(({ stream, download, upload }) => [stream.closed, download.finish(), upload?.closed]);
		await requireWithinASecond(Promise.all(ends), 'every request');
		expect(deps.live.count()).toBe(0);

		for (const { client, stream, download } of devices) {
			expect(stream.events).toContainEqual({ topic: 'ended', reason: 'deactivation' });
			expect(download.received()).toBeLessThan(bytes.length);
			const refused = await client.call('GET', '/api/me');
			expect([refused.statusCode, refused.json().message]).toEqual([403, 'Your account is not active.']);
			for (const path of ['/api/events', `/api/files/${fileId}/content`, '/api/sessions', '/api/shelf'])
				expect((await client.call('GET', path)).statusCode).toBe(403);
			const page = await client.call('GET', '/dashboard');
			expect([page.statusCode, page.headers.location]).toEqual([302, '/login?reason=deactivated']);
			expect((await client.call('GET', '/contact')).statusCode).toBe(403);
		}
		const uploaded = await deps.db.selectFrom('nodes').select('name').where('name', 'like', 'slow %').execute();
		expect(uploaded).toEqual([]);
	},
);

test('refuses a request when session, role or access ended after the check of the guard, before it was registered', async () => {
	const { client: member } = await makeSignedInUser(testApp, 'quick@example.com', 'user', '203.0.113.79');
	const address = '203.0.113.80';
	const { client: other, id: otherId } = await makeSignedInUser(testApp, 'quick-admin@example.com', 'admin', address);
	const check = async (client = member) => {
		const token = /folio_session=([^;]+)/u.exec(client.cookie())?.[1] ?? '';
		const revocationsBeforeCheck = deps.live.revocationCount();
		const session = await resolveSession(deps, token);
		if (session.state !== 'live') throw new Error('The session has ended.');
		const cookies = { folio_session: token };
		return { caller: { actor: session.actor }, cookies, routeOptions: { config: {} }, revocationsBeforeCheck };
	};
	const register = async (request: Awaited<ReturnType<typeof check>>, isAllowed: boolean) => {
		const reply = { raw: new EventEmitter() };
		const registered = abortOnSessionEnd(
			deps,
			request as unknown as FastifyRequest,
			reply as unknown as FastifyReply,
			() => {},
			async () => isAllowed,
		);
		await registered.finally(() => reply.raw.emit('close'));
	};
	// Nothing has changed since the check, so access is not checked again.
	await register(await check(), false);
	const beforeShareEnded = await check();
	deps.bus.publish({ kind: 'event', audience: { to: 'admins' }, event: { topic: 'shares' } });
	await register(beforeShareEnded, true);
	await expect(register(beforeShareEnded, false)).rejects.toMatchObject({ code: 'NOT_FOUND' });
	const beforeDemotion = await check(other);
	await admin.call('POST', `/api/users/${otherId}/role`, { role: 'user' });
	await expect(register(beforeDemotion, true)).rejects.toMatchObject({ code: 'FORBIDDEN' });
	const beforeSignOut = await check();
	await member.call('POST', '/api/sign-out');
	await expect(register(beforeSignOut, true)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
});
