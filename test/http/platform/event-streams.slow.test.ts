import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { eventRetentionMs } from '#contract/core/events.ts';
import { limits } from '#contract/core/limits.ts';
import { endStaleConnections } from '#server/platform/auth/sessions/sessions.ts';
import { getRow } from '../../support/app/database-rows.ts';
import {
	drainEventStreams,
	listen,
	openEventStream,
	requireWithinASecond,
	secondWithMarginMs,
} from '../../support/app/event-streams.ts';
import { createHttpClient, type HttpClient, multipart } from '../../support/app/http-client.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { downloadSlowly } from '../../support/app/slow-download.ts';
import { createSecondProcess, type TestApp } from '../../support/app/test-app.ts';
import { joinAs, testPassword } from '../../support/app/users.ts';
import { saveBook } from '../../support/fixtures/book.ts';
import { makeFile } from '../../support/fixtures/files.ts';
import { changeOrder, makeOrder } from '../../support/fixtures/orders.ts';
import { startSilentProxy } from '../../support/services/silent-proxy.ts';
import { testDatabase } from '../../support/services/test-database.ts';

const { testApp, deps, admin } = await openTestApp();
const url = await listen(testApp.app);
// Waits until the server has noticed all closed connections, because the next test counts open connections.
afterEach(() => waitForConnections(0));

const join = (role?: 'user' | 'admin') => joinAs(testApp, role);
const setActive = (id: string, active: boolean) => admin.call('POST', `/api/users/${id}/active`, { active });

const completeOrder = ({ id }: { id: string }) => changeOrder(admin, id, { status: 'Complete' });
const openStreams = (...clients: HttpClient[]) =>
	Promise.all(clients.map((client) => openEventStream(url, client.cookie())));
const waitForConnections = (count: number) => expect.poll(() => deps.live.count()).toBe(count);

/** Sends a request without the end of its body. @returns the request, and a promise of its status, if it gets one */
function sendPart(client: HttpClient, method: string, path: string, type: string, part: string, length: number) {
	const headers = { cookie: client.cookie(), origin: url, 'content-type': type, 'content-length': length };
	const sent = request(`${url}${path}`, { method, headers });
	const ended = new Promise<number | undefined>((resolve) => {
		for (const end of ['error', 'close']) sent.once(end, () => resolve(undefined));
		sent.once('response', ({ statusCode }) => resolve(statusCode));
	});
	sent.write(part);
	return { sent, ended };
}

const largeBytes = Buffer.alloc(16 * 1024 * 1024, 'x');
const makeLargeFile = (ownerId: string) => makeFile(deps, { ownerId, name: 'long.bin', bytes: largeBytes });

describe('events', () => {
	test('a completed order is published only to admins and its buyer', async () => {
		const buyer = await join();
		const stranger = await join();
		const order = await makeOrder(deps, { userId: buyer.id, email: buyer.email });
		const streams = await openStreams(admin, buyer.client, stranger.client);
		await completeOrder(order);
		const [toAdmin, toBuyer, toStranger] = await drainEventStreams(deps, streams);
		expect(toAdmin).toContainEqual({ topic: 'orders' });
		expect(toBuyer).toEqual([{ topic: 'book-access' }]);
		expect(toStranger).toEqual([]);
		for (const stream of streams) stream.close();
	});

	test('replays events of the user since the page was requested, or publishes a resync after a long time', async () => {
		const buyer = await join();
		const stranger = await join();
		testApp.clock.advance((2 * eventRetentionMs) / 1000);
		const first = await makeOrder(deps, { userId: buyer.id, email: buyer.email });
		await completeOrder(first);
		await setActive(stranger.id, true);
		testApp.clock.advance(3);
		const late = (client: HttpClient, ageMs?: number) => openEventStream(url, client.cookie(), ageMs);
		const streams = await Promise.all([
			late(buyer.client, 4000),
			late(buyer.client, 2000),
			late(buyer.client),
			late(stranger.client, 4000),
			late(buyer.client, eventRetentionMs + 1),
			late(admin, 4000),
		]);
		const [ofBuyer, younger, withoutAge, ofStranger, tooOld, ofAdmin] = await drainEventStreams(deps, streams);
		expect(ofBuyer).toEqual([{ topic: 'book-access' }]);
		for (const events of [younger, withoutAge, ofStranger]) expect(events).toEqual([]);
		expect(tooOld).toEqual([{ topic: 'resync' }]);
		expect(ofAdmin?.filter(({ topic }) => topic === 'orders')).toHaveLength(1);
		for (const stream of streams) stream.close();
		expect((await admin.call('GET', '/api/events?ageMs=soon')).statusCode).toBe(422);
	});

	test('a change in a space is published to its owner, and a change in the guest space to everyone', async () => {
		const owner = await join();
		const other = await join();
		const [ownerStream, otherStream] = await openStreams(owner.client, other.client);
		await admin.call('POST', `/api/spaces/${owner.email}/folders`, { name: 'New', path: '' });
		expect(await ownerStream?.waitFor('nodes')).toEqual({ topic: 'nodes', owner: owner.id });
		await admin.call('POST', '/api/spaces/book/folders', { name: 'Private', path: '' });
		await admin.call('POST', '/api/spaces/guest/folders', { name: 'For all', path: '' });
		expect(await otherStream?.waitFor('nodes')).toEqual({ topic: 'nodes', owner: 'guest' });
		expect(otherStream?.events).toEqual([{ topic: 'nodes', owner: 'guest' }]);
		for (const stream of [ownerStream, otherStream]) stream?.close();
	});

	test('the stream has the security headers and no permission for other origins', async () => {
		const { response, close } = await openEventStream(url, admin.cookie());
		expect(response.headers).toMatchObject({
			'content-type': 'text/event-stream',
			'cache-control': 'no-store',
			'x-content-type-options': 'nosniff',
		});
		expect(response.headers['content-security-policy']).toContain("frame-ancestors 'self'");
		expect(response.headers).not.toHaveProperty('access-control-allow-origin');
		close();
	});
});

describe('an event stream', () => {
	/**
	 * Sends requests over one connection without waiting for responses, and calls `then` when the event stream starts.
	 * @returns the received text when it matches `awaited`
	 */
	async function sendRaw(requests: string, awaited: RegExp, then?: () => unknown): Promise<string> {
		const { hostname, port } = new URL(url);
		const socket = connect(Number(port), hostname);
		socket.write(requests);
		let text = '';
		for await (const chunk of socket) {
			text += chunk;
			if (text.includes('retry: ') && then !== undefined) {
				await then();
				then = undefined;
			}
			if (awaited.test(text)) break;
		}
		return text;
	}
	const ask = (path: string, client: HttpClient) =>
		`GET ${path} HTTP/1.1\r\nhost: example.com\r\ncookie: ${client.cookie()}\r\n\r\n`;

	test('contains only events, and has the header Connection: close', async () => {
		const { client } = await join();
		const text = await sendRaw(ask('/api/events', client), /sessions/u, () =>
			deps.bus.publish({ kind: 'event', audience: { to: 'everyone' }, event: { topic: 'sessions' } }),
		);
		const [head, body] = text.split('\r\n\r\n');
		expect(head?.toLowerCase()).toContain('\r\nconnection: close');
		expect(head?.toLowerCase()).not.toContain('transfer-encoding');
		expect(body).toBe('retry: 1000\n\ndata: {"topic":"sessions"}\n\n');
	});

	test('starts after the responses to earlier requests on its connection', async () => {
		const { id, client } = await join();
		await makeOrder(deps, { userId: id, email: 'whoever@example.com' });
		const requests = ask('/api/me/export', client) + ask('/api/me', client) + ask('/api/events', client);
		const text = await sendRaw(requests, /topic/u, () =>
			deps.bus.publish({ kind: 'event', audience: { to: 'user', userId: id }, event: { topic: 'sessions' } }),
		);
		expect(text.match(/HTTP\/1\.1 \d+/gu)).toEqual(Array(3).fill('HTTP/1.1 200'));
		expect(text.endsWith('retry: 1000\n\ndata: {"topic":"sessions"}\n\n')).toBe(true);
	});

	test('is not counted when the browser disconnects before the start of the stream', async () => {
		const { client } = await join();
		const { hostname, port } = new URL(url);
		for (let number = 0; number < limits.eventStreamsPerUserMax; number += 1) {
			const socket = connect(Number(port), hostname);
			await once(socket, 'connect');
			socket.end(ask('/api/events', client), () => socket.destroy());
		}
		await waitForConnections(0);
		const { response, close } = await openEventStream(url, client.cookie());
		expect(response.statusCode).toBe(200);
		close();
	});
});

describe('within a second after the end of a session', () => {
	test('a sign-out closes the event stream of the session, but no event stream of other sessions of the user', async () => {
		const { email, client } = await join();
		const other = createHttpClient(testApp.app);
		await other.signIn(email, testPassword);
		const [leaving, staying] = await openStreams(client, other);
		await client.call('POST', '/api/sign-out', {});
		expect(await leaving?.waitFor('ended')).toEqual({ topic: 'ended', reason: 'logout' });
		await requireWithinASecond(leaving?.closed ?? Promise.reject(), 'the stream');
		expect(await staying?.waitFor('sessions')).toEqual({ topic: 'sessions' });
		expect(staying?.events).toHaveLength(1);
		expect(staying?.response.destroyed).toBe(false);
		staying?.close();
	});

	const picture = { field: 'file', name: 'qr.png', type: 'image/png', bytes: Buffer.from('no picture') };
	const form = multipart({}, picture);
	const asForm = form.headers['content-type'] ?? '';
	test.each([
		['deactivation', 'PUT', '/api/settings/book', 'application/json', '{"bookTitle":"Theirs"}'],
		['deactivation', 'POST', '/api/settings/qr', asForm, form.body.toString()],
		['another role', 'PUT', '/api/settings/book', 'application/json', '{"bookTitle":"Theirs"}'],
		['another role', 'POST', '/api/orders-statement', asForm, form.body.toString()],
	])('after %s, the server refuses the second half of a request: %s %s (%s)', async (end, method, path, type, body) => {
		const { id, client } = await join('admin');
		const { sent, ended } = sendPart(client, method, path, type, body.slice(0, 10), body.length);
		await waitForConnections(1);
		const before = await admin.call('GET', '/api/settings/book');
		if (end === 'deactivation') await setActive(id, false);
		else await admin.call('POST', `/api/users/${id}/role`, { role: 'user' });
		sent.end(body.slice(10));
		expect(await requireWithinASecond(ended, 'the request')).toBeUndefined();
		expect((await admin.call('GET', '/api/settings/book')).json()).toEqual(before.json());
		await waitForConnections(0);
	});
});

test('closing the server ends the open event streams', async () => {
	const secondApp = await createSecondProcess(testApp);
	const stream = await openEventStream(await listen(secondApp.app), admin.cookie());
	await requireWithinASecond(secondApp.close(), 'closing');
	await requireWithinASecond(stream.closed, 'the stream');
});

// Only PostgreSQL allows several processes.
if (testDatabase === 'postgres') {
	describe('two processes on one database', () => {
		let secondApp: TestApp;
		let secondUrl: string;
		beforeAll(async () => {
			secondApp = await createSecondProcess(testApp);
			secondUrl = await listen(secondApp.app);
		});
		afterAll(() => secondApp.close());

		test('a process receives the events of the other process, and closes an event stream when the other process ends its session', async () => {
			const { id, email, client } = await join();
			const order = await makeOrder(deps, { userId: id, email });
			const stream = await openEventStream(secondUrl, client.cookie());
			await completeOrder(order);
			await stream.waitFor('book-access');
			await setActive(id, false);
			expect(await stream.waitFor('ended')).toEqual({ topic: 'ended', reason: 'deactivation' });
			await requireWithinASecond(stream.closed, 'the stream');
		});

		test('a process whose bus connection is frozen ends sessions and rights within a second, and its own changes reach the other process', async () => {
			const address = new URL(testApp.deps.config.DATABASE_URL ?? '');
			const proxy = await startSilentProxy({ host: address.hostname, port: Number(address.port) });
			onTestFinished(() => proxy.close());
			address.port = String(proxy.port);
			await using frozen = await createSecondProcess(testApp, { DATABASE_URL: address.href });
			const frozenUrl = await listen(frozen.app);
			const { id, email, client } = await join();
			const other = await join();
			const { client: frozenAdmin } = await joinAs(frozen, 'admin');
			const fileId = await makeLargeFile((await join()).id);
			await admin.call('POST', '/api/shares', { nodeId: fileId, email });
			const stream = await openEventStream(frozenUrl, client.cookie());
			await downloadSlowly(frozenUrl, client, `/api/files/${fileId}/content`);
			const [otherStream] = await openStreams(other.client);
			proxy.silenceWith('listen folio');
			await admin.call('POST', '/api/shares/remove', { nodeId: fileId, email });
			await expect.poll(() => frozen.deps.live.count(), { timeout: secondWithMarginMs }).toBe(1);
			await setActive(id, false);
			expect(await stream.waitFor('ended')).toEqual({ topic: 'ended', reason: 'deactivation' });
			await frozenAdmin.call('POST', `/api/users/${other.id}/active`, { active: false });
			expect(await otherStream?.waitFor('ended')).toEqual({ topic: 'ended', reason: 'deactivation' });
			// A browser learns only after the connection is back what else it has missed.
			expect(stream.events.filter(({ topic }) => topic === 'resync')).toEqual([]);
		});

		test('a landing page of one process shows the price that was saved on the other process', async () => {
			const visitor = createHttpClient(secondApp.app);
			expect((await visitor.call('GET', '/')).body).toContain('₹499');
			await saveBook(admin, { discountedPrice: 321 });
			await expect.poll(async () => (await visitor.call('GET', '/')).body).toContain('₹321');
		});
	});
}

describe('the regular recheck, after a process was killed before it published a change', () => {
	const recheck = () => deps.bus.publishLocally({ kind: 'recheck' });

	test('ends the request of a former admin, and continues event streams with the new roles', async () => {
		const { id, client } = await join('admin');
		const { id: promotedId, client: promoted } = await join();
		const streams = await openStreams(client, promoted);
		const [stream, other] = streams;
		const part = '{"bookTitle":"Theirs"}';
		const { ended } = sendPart(client, 'PUT', '/api/settings/book', 'application/json', part, 100);
		await waitForConnections(3);
		const { db } = deps;
		await db.updateTable('users').set({ role: 'user' }).where('id', '=', id).execute();
		await db.updateTable('users').set({ role: 'admin' }).where('id', '=', promotedId).execute();

		recheck();
		await requireWithinASecond(ended, 'the write');
		await stream?.waitFor('users');
		await other?.waitFor('users');
		deps.bus.publish({ kind: 'event', audience: { to: 'admins' }, event: { topic: 'orders' } });
		await other?.waitFor('orders');
		expect(stream?.events).toEqual([{ topic: 'users' }]);
		// A second recheck does not publish the same changes again.
		await endStaleConnections(deps);
		const [events] = await drainEventStreams(deps, streams);
		expect(events).toEqual([{ topic: 'users' }]);
		for (const openStream of streams) openStream.close();
		await waitForConnections(0);
	});

	test('ends the download of a file whose share was deleted', async () => {
		const { id, email, client } = await join();
		const ownerId = (await join()).id;
		const fileId = await makeLargeFile(ownerId);
		const shared = await admin.call('POST', '/api/shares', { nodeId: fileId, email });
		expect(shared.statusCode).toBeLessThan(300);
		const download = await downloadSlowly(url, client, `/api/files/${fileId}/content`);
		expect(download.status).toBe(200);
		await waitForConnections(1);
		await deps.db.deleteFrom('shares').where('recipient_id', '=', id).execute();
		recheck();
		await waitForConnections(0);
		expect(await requireWithinASecond(download.finish(), 'the download')).toBe(false);
	});

	test('closes the event stream of an impersonation that has ended, so that the browser reconnects as the admin', async () => {
		const { client, email } = await join('admin');
		const { id: memberId } = await join();
		await client.call('POST', `/api/users/${memberId}/view-as`, {});
		const stream = await openEventStream(url, client.cookie());
		await deps.db.updateTable('sessions').set({ impersonated_user_id: null, impersonation_ends_at: null }).execute();
		recheck();
		expect(await stream.waitFor('resync')).toEqual({ topic: 'resync' });
		await requireWithinASecond(stream.closed, 'the stream');
		expect((await client.call('GET', '/api/me')).json()).toMatchObject({ email });
	});

	test('shows changed settings on the landing page', async () => {
		const visitor = createHttpClient(testApp.app);
		await saveBook(admin, { discountedPrice: 456 });
		await expect.poll(async () => (await visitor.call('GET', '/')).body).toContain('₹456');
		recheck();
		const row = await getRow(deps, 'settings', { key: 'book' });
		const value = JSON.stringify({ ...JSON.parse(row.value), discountedPaise: 43_200 });
		const changed = { value, version: row.version + 1 };
		await deps.db.updateTable('settings').set(changed).where('key', '=', 'book').execute();
		recheck();
		await expect.poll(async () => (await visitor.call('GET', '/')).body).toContain('₹432');
	});
});

test('a resync ends the event streams of sessions that are too old or have ended without an event', async () => {
	const { client: old } = await join();
	const oldStream = await openEventStream(url, old.cookie());
	testApp.clock.advance(31 * 24 * 3600);
	const { client: cut, id } = await join();
	const cutStream = await openEventStream(url, cut.cookie());
	const ended = { ended_at: testApp.clock.now().toISOString(), ended_reason: 'logout' } as const;
	await deps.db.updateTable('sessions').set(ended).where('user_id', '=', id).execute();

	deps.bus.publish({ kind: 'resync' });
	await requireWithinASecond(Promise.all([oldStream.closed, cutStream.closed]), 'the end of both streams');
});
