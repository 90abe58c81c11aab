import { once } from 'node:events';
import { get, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { eventRetentionMs } from '#contract/core/events.ts';
import { limits } from '#contract/core/limits.ts';
import { endStaleConnections } from '#server/platform/auth/sessions/sessions.ts';
import { drainEventStreams, listen, openEventStream, requireWithinASecond } from '../../support/app/event-streams.ts';
import { createHttpClient, type HttpClient } from '../../support/app/http-client.ts';
import { createSecondProcess, createTestApp, type TestApp } from '../../support/app/test-app.ts';
import { makeSignedInUser, testPassword } from '../../support/app/users.ts';
import { makeFile } from '../../support/fixtures/files.ts';
import { makeOrder } from '../../support/fixtures/orders.ts';
import { testDatabase } from '../../support/services/test-database.ts';

let world: TestApp;
let url: string;
let admin: HttpClient;

beforeAll(async () => {
	world = await createTestApp();
	admin = (await makeSignedInUser(world, 'admin@example.com', 'admin')).client;
	url = await listen(world.app);
});
afterAll(() => world.close());
// The next test counts open connections, and the server notices a closed connection later than its client.
afterEach(() => expect.poll(() => world.deps.live.count()).toBe(0));

let count = 0;
async function join(role: 'user' | 'admin' = 'user') {
	count += 1;
	const email = `person-${count}@example.com`;
	const { id, client } = await makeSignedInUser(world, email, role);
	return { id, email, client };
}

const setActive = (id: string, active: boolean) => admin.call('POST', `/api/users/${id}/active`, { active });

async function completeOrder(order: { id: string }, email: string) {
	const { items } = (await admin.call('GET', `/api/orders?search=${email}`)).json();
	const { name, phone, upiId, version } = items[0];
	return admin.call('PUT', `/api/orders/${order.id}`, { name, email, phone, upiId, status: 'Complete', version });
}

describe('events', () => {
	test('publishes a completed order to the orders page and its buyer only', async () => {
		const buyer = await join();
		const stranger = await join();
		const order = await makeOrder(world.deps, { userId: buyer.id, email: buyer.email });
		const streams = await Promise.all(
			[admin, buyer.client, stranger.client].map((client) => openEventStream(url, client.cookie())),
		);
		await completeOrder(order, buyer.email);
		const [ofDesk, ofBuyer, ofStranger] = await drainEventStreams(world.deps, streams);
		expect(ofDesk).toContainEqual({ topic: 'orders' });
		expect(ofBuyer).toEqual([{ topic: 'book-access' }]);
		expect(ofStranger).toEqual([]);
		for (const stream of streams) stream.close();
	});

	test("replays a user's events since the page was requested, or a resync when that is too long ago", async () => {
		const buyer = await join();
		const stranger = await join();
		world.clock.advance((2 * eventRetentionMs) / 1000);
		const first = await makeOrder(world.deps, { userId: buyer.id, email: buyer.email });
		await completeOrder(first, buyer.email);
		await setActive(stranger.id, true);
		world.clock.advance(3);
		const late = (client: HttpClient, ageMs?: number) => openEventStream(url, client.cookie(), ageMs);
		const streams = await Promise.all([
			late(buyer.client, 4000),
			late(buyer.client, 2000),
			late(buyer.client),
			late(stranger.client, 4000),
			late(buyer.client, eventRetentionMs + 1),
			late(admin, 4000),
		]);
		const [theirs, younger, silent, strangers, older, desk] = await drainEventStreams(world.deps, streams);
		expect(theirs).toEqual([{ topic: 'book-access' }]);
		for (const heard of [younger, silent, strangers]) expect(heard).toEqual([]);
		expect(older).toEqual([{ topic: 'resync' }]);
		expect(desk?.filter(({ topic }) => topic === 'orders')).toHaveLength(1);
		for (const stream of streams) stream.close();
		expect((await admin.call('GET', '/api/events?ageMs=soon')).statusCode).toBe(422);
	});

	test('publishes a change in a space to its owner, and a change in the guest space to everyone', async () => {
		const owner = await join();
		const other = await join();
		const [theirs, others] = await Promise.all(
			[owner.client, other.client].map((client) => openEventStream(url, client.cookie())),
		);
		await admin.call('POST', `/api/spaces/${owner.email}/folders`, { name: 'New', path: '' });
		expect(await theirs?.waitFor('nodes')).toEqual({ topic: 'nodes', owner: owner.id });
		await admin.call('POST', '/api/spaces/book/folders', { name: 'Private', path: '' });
		await admin.call('POST', '/api/spaces/guest/folders', { name: 'For all', path: '' });
		expect(await others?.waitFor('nodes')).toEqual({ topic: 'nodes', owner: 'guest' });
		expect(others?.events).toEqual([{ topic: 'nodes', owner: 'guest' }]);
		for (const stream of [theirs, others]) stream?.close();
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
	/** Sends requests over one connection without waiting. @returns the received text up to the awaited pattern */
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

	test('contains only its events, and announces that the connection closes with it', async () => {
		const { client } = await join();
		const text = await sendRaw(ask('/api/events', client), /sessions/u, () =>
			world.deps.bus.publish({ kind: 'event', audience: { to: 'everyone' }, event: { topic: 'sessions' } }),
		);
		const [head, body] = text.split('\r\n\r\n');
		expect(head?.toLowerCase()).toContain('\r\nconnection: close');
		expect(head?.toLowerCase()).not.toContain('transfer-encoding');
		expect(body).toBe('retry: 1000\n\ndata: {"topic":"sessions"}\n\n');
	});

	test('starts after the answers to earlier requests on the same connection', async () => {
		const { id, client } = await join();
		await makeOrder(world.deps, { userId: id, email: 'whoever@example.com' });
		const requests = ask('/api/me/export', client) + ask('/api/me', client) + ask('/api/events', client);
		const text = await sendRaw(requests, /topic/u, () =>
			world.deps.bus.publish({ kind: 'event', audience: { to: 'user', userId: id }, event: { topic: 'sessions' } }),
		);
		expect(text.match(/HTTP\/1\.1 \d+/gu)).toEqual(Array(3).fill('HTTP/1.1 200'));
		expect(text.endsWith('retry: 1000\n\ndata: {"topic":"sessions"}\n\n')).toBe(true);
	});

	test('takes no connection slot when the browser disconnects before it is open', async () => {
		const { client } = await join();
		const { hostname, port } = new URL(url);
		for (let number = 0; number < limits.eventStreamsPerUserMax; number += 1) {
			const socket = connect(Number(port), hostname);
			await once(socket, 'connect');
			socket.end(ask('/api/events', client), () => socket.destroy());
		}
		await expect.poll(() => world.deps.live.count()).toBe(0);
		const { response, close } = await openEventStream(url, client.cookie());
		expect(response.statusCode).toBe(200);
		close();
	});
});

describe('within a second after the end of a session', () => {
	test('a sign-out closes its event stream, but not that of another session of the user', async () => {
		const { email, client } = await join();
		const other = createHttpClient(world.app);
		await other.signIn(email, testPassword);
		const [leaving, staying] = await Promise.all([client, other].map((each) => openEventStream(url, each.cookie())));
		await client.call('POST', '/api/sign-out', {});
		expect(await leaving?.waitFor('ended')).toEqual({ topic: 'ended', reason: 'logout' });
		await requireWithinASecond(leaving?.closed ?? Promise.reject(), 'the stream');
		expect(await staying?.waitFor('sessions')).toEqual({ topic: 'sessions' });
		expect(staying?.events).toHaveLength(1);
		expect(staying?.response.destroyed).toBe(false);
		staying?.close();
	});

	test('a deactivation closes the event stream of an admin, and the server keeps running', async () => {
		const { id, client } = await join('admin');
		const stream = await openEventStream(url, client.cookie());
		await setActive(id, false);
		expect(await stream.waitFor('ended')).toEqual({ topic: 'ended', reason: 'deactivation' });
		await requireWithinASecond(stream.closed, 'the stream');
		expect((await fetch(`${url}/healthz`)).status).toBe(200);
	});

	test('a new password closes the event stream', async () => {
		const { email, client } = await join();
		const stream = await openEventStream(url, client.cookie());
		await client.call('POST', '/api/password/request-reset', { email });
		const mails = (await world.runDueWork()).filter(({ to }) => to?.[0]?.address === email);
		const token = /#token=(\S+)/u.exec(mails[0]?.text ?? '')?.[1];
		await client.call('POST', '/api/password/set', { token, password: 'a new one' });
		expect(await stream.waitFor('ended')).toEqual({ topic: 'ended', reason: 'password' });
		await requireWithinASecond(stream.closed, 'the stream');
	});

	test('a deactivation ends a running download', async () => {
		const { id, client } = await join();
		const bytes = Buffer.alloc(16 * 1024 * 1024, 'x');
		const fileId = await makeFile(world.deps, { ownerId: id, name: 'long.bin', bytes });
		const sent = get(`${url}/api/files/${fileId}/content`, { headers: { cookie: client.cookie() } });
		const [response] = (await once(sent, 'response')) as [IncomingMessage];
		expect(response.statusCode).toBe(200);
		let received = 0;
		response.on('error', () => {});
		const closed = new Promise((resolve) => response.once('close', resolve));
		// The client pauses after the first chunk, so that the server still has most of the file to send.
		response.once('data', (chunk: Buffer) => {
			received += chunk.length;
			response.pause();
		});
		await expect.poll(() => received).toBeGreaterThan(0);
		await setActive(id, false);
		response.on('data', (chunk: Buffer) => {
			received += chunk.length;
		});
		response.resume();
		await requireWithinASecond(closed, 'the download');
		expect(received).toBeLessThan(bytes.length);
		expect(world.deps.live.count()).toBe(0);
	});

	test('a deactivation ends a running upload, which creates no file', async () => {
		const { id, email, client } = await join('admin');
		const headers = { cookie: client.cookie(), 'tus-resumable': '1.0.0' };
		const metadata = `owner ${Buffer.from(email).toString('base64')},filename ${Buffer.from('slow.bin').toString('base64')}`;
		const created = await client.call('POST', '/api/uploads', undefined, {
			...headers,
			'upload-length': '1000',
			'upload-metadata': metadata,
		});
		const sent = request(`${url}${created.headers.location}`, {
			method: 'PATCH',
			headers: {
				...headers,
				'upload-offset': '0',
				'content-type': 'application/offset+octet-stream',
				'content-length': '1000',
			},
		});
		const ended = new Promise((resolve) => sent.once('error', resolve).once('close', resolve));
		sent.write(Buffer.alloc(10));
		await expect.poll(() => world.deps.live.count()).toBe(1);
		await setActive(id, false);
		await requireWithinASecond(ended, 'the upload');
		expect(await world.deps.db.selectFrom('nodes').select('id').where('name', '=', 'slow.bin').execute()).toEqual([]);
	});

	const boundary = 'half';
	const qrForm = [
		`--${boundary}`,
		'content-disposition: form-data; name="file"; filename="qr.png"',
		'content-type: image/png',
		'',
		'no picture',
		`--${boundary}--`,
		'',
	].join('\r\n');
	const asForm = `multipart/form-data; boundary=${boundary}`;
	test.each([
		['deactivation', 'PUT', '/api/settings/book', 'application/json', '{"bookTitle":"Theirs"}'],
		['deactivation', 'POST', '/api/settings/qr', asForm, qrForm],
		['another role', 'PUT', '/api/settings/book', 'application/json', '{"bookTitle":"Theirs"}'],
		['another role', 'POST', '/api/orders-statement', asForm, qrForm],
	])('after %s the server does not accept the second half of %s %s (%s)', async (end, method, path, type, body) => {
		const { id, client } = await join('admin');
		const asked = request(`${url}${path}`, {
			method,
			headers: { cookie: client.cookie(), origin: url, 'content-type': type, 'content-length': body.length },
		});
		let status: number | undefined;
		const over = new Promise<void>((resolve) => {
			asked.once('error', () => resolve());
			asked.once('response', (response) => {
				status = response.statusCode;
				resolve();
			});
		});
		asked.write(body.slice(0, 10));
		await expect.poll(() => world.deps.live.count()).toBe(1);
		const before = await admin.call('GET', '/api/settings/book');
		if (end === 'deactivation') await setActive(id, false);
		else await admin.call('POST', `/api/users/${id}/role`, { role: 'user' });
		asked.end(body.slice(10));
		await requireWithinASecond(over, 'the request');
		expect(status).toBeUndefined();
		expect((await admin.call('GET', '/api/settings/book')).json()).toEqual(before.json());
		await expect.poll(() => world.deps.live.count()).toBe(0);
	});
});

test('closing the server ends the open event streams', async () => {
	const twin = await createSecondProcess(world);
	const stream = await openEventStream(await listen(twin.app), admin.cookie());
	await requireWithinASecond(twin.close(), 'closing');
	await requireWithinASecond(stream.closed, 'the stream');
});

// With SQLite there is only one process. PostgreSQL carries events from one process to another.
if (testDatabase === 'postgres') {
	describe('two processes on one database', () => {
		let twin: TestApp;
		let twinUrl: string;
		beforeAll(async () => {
			twin = await createSecondProcess(world);
			twinUrl = await listen(twin.app);
		});
		afterAll(() => twin.close());

		test('an event of one process arrives at the other', async () => {
			const buyer = await join();
			const order = await makeOrder(world.deps, { userId: buyer.id, email: buyer.email });
			const stream = await openEventStream(twinUrl, buyer.client.cookie());
			await completeOrder(order, buyer.email);
			await stream.waitFor('book-access');
			stream.close();
		});

		test('a session that ends on one process loses its event stream on the other', async () => {
			const { id, client } = await join();
			const stream = await openEventStream(twinUrl, client.cookie());
			await setActive(id, false);
			expect(await stream.waitFor('ended')).toEqual({ topic: 'ended', reason: 'deactivation' });
			await requireWithinASecond(stream.closed, 'the stream');
		});

		test('a landing page of one process shows the price that was saved on the other', async () => {
			const visitor = createHttpClient(twin.app);
			expect((await visitor.call('GET', '/')).body).toContain('₹499');
			const current = (await admin.call('GET', '/api/settings/book')).json();
			await admin.call('PUT', '/api/settings/book', { ...current, discountedPrice: 321, editions: [] });
			await expect.poll(async () => (await visitor.call('GET', '/')).body).toContain('₹321');
		});
	});
}

describe('the regular recheck, after a process was killed before it published a change', () => {
	const recheck = () => world.deps.bus.publishLocally({ kind: 'recheck' });

	test('ends a request of a former admin, and continues event streams with the new role of the user', async () => {
		const { id, client } = await join('admin');
		const { id: promotedId, client: promoted } = await join();
		const streams = await Promise.all([client, promoted].map((each) => openEventStream(url, each.cookie())));
		const [stream, other] = streams;
		const body = '{"bookTitle":"Theirs"}';
		const asked = request(`${url}/api/settings/book`, {
			method: 'PUT',
			headers: { cookie: client.cookie(), origin: url, 'content-type': 'application/json', 'content-length': 100 },
		});
		const over = new Promise((resolve) => asked.once('error', resolve).once('close', resolve));
		asked.write(body);
		await expect.poll(() => world.deps.live.count()).toBe(3);
		const { db } = world.deps;
		await db.updateTable('users').set({ role: 'user' }).where('id', '=', id).execute();
		await db.updateTable('users').set({ role: 'admin' }).where('id', '=', promotedId).execute();

		recheck();
		await requireWithinASecond(over, 'the write');
		await stream?.waitFor('users');
		await other?.waitFor('users');
		world.deps.bus.publish({ kind: 'event', audience: { to: 'admins' }, event: { topic: 'orders' } });
		await other?.waitFor('orders');
		expect(stream?.events).toEqual([{ topic: 'users' }]);
		// Runs the recheck to its end: changes that are known already are not published again.
		await endStaleConnections(world.deps);
		const [heard] = await drainEventStreams(world.deps, streams);
		expect(heard).toEqual([{ topic: 'users' }]);
		for (const each of streams) each.close();
		await expect.poll(() => world.deps.live.count()).toBe(0);
	});

	test('ends the download of a file whose share was deleted', async () => {
		const { id, email, client } = await join();
		const ownerId = (await join()).id;
		const bytes = Buffer.alloc(16 * 1024 * 1024, 'x');
		const fileId = await makeFile(world.deps, { ownerId, name: 'shared.bin', bytes });
		const shared = await admin.call('POST', '/api/shares', { nodeId: fileId, email });
		expect(shared.statusCode).toBeLessThan(300);
		const sent = get(`${url}/api/files/${fileId}/content`, { headers: { cookie: client.cookie() } });
		const [response] = (await once(sent, 'response')) as [IncomingMessage];
		expect(response.statusCode).toBe(200);
		response.on('error', () => {});
		const closed = new Promise((resolve) => response.once('close', resolve));
		response.pause();
		await expect.poll(() => world.deps.live.count()).toBe(1);
		await world.deps.db.deleteFrom('shares').where('recipient_id', '=', id).execute();
		recheck();
		await expect.poll(() => world.deps.live.count()).toBe(0);
		response.resume();
		await requireWithinASecond(closed, 'the download');
		expect(response.complete).toBe(false);
	});

	test('reconnects the event stream as the admin after an impersonation has ended', async () => {
		const { client, email } = await join('admin');
		const { id: memberId } = await join();
		await client.call('POST', `/api/users/${memberId}/view-as`, {});
		const stream = await openEventStream(url, client.cookie());
		await world.deps.db
			.updateTable('sessions')
			.set({ impersonated_user_id: null, impersonation_ends_at: null })
			.execute();
		recheck();
		expect(await stream.waitFor('resync')).toEqual({ topic: 'resync' });
		await requireWithinASecond(stream.closed, 'the stream');
		expect((await client.call('GET', '/api/me')).json()).toMatchObject({ email });
	});

	test('shows changed settings on the landing page', async () => {
		const visitor = createHttpClient(world.app);
		const current = (await admin.call('GET', '/api/settings/book')).json();
		await admin.call('PUT', '/api/settings/book', { ...current, discountedPrice: 456, editions: [] });
		await expect.poll(async () => (await visitor.call('GET', '/')).body).toContain('₹456');
		recheck();
		const row = await world.deps.db
			.selectFrom('settings')
			.selectAll()
			.where('key', '=', 'book')
			.executeTakeFirstOrThrow();
		const value = JSON.stringify({ ...JSON.parse(row.value), discountedPaise: 43_200 });
		await world.deps.db
			.updateTable('settings')
			.set({ value, version: row.version + 1 })
			.where('key', '=', 'book')
			.execute();
		recheck();
		await expect.poll(async () => (await visitor.call('GET', '/')).body).toContain('₹432');
	});
});

test('a resync ends the event streams of sessions that are too old or have ended without an event', async () => {
	const { client: old } = await join();
	const oldStream = await openEventStream(url, old.cookie());
	world.clock.advance(31 * 24 * 3600);
	const { client: cut, id } = await join();
	const cutStream = await openEventStream(url, cut.cookie());
	await world.deps.db
		.updateTable('sessions')
		.set({ ended_at: world.clock.now().toISOString(), ended_reason: 'logout' })
		.where('user_id', '=', id)
		.execute();

	world.deps.bus.publish({ kind: 'resync' });
	await requireWithinASecond(Promise.all([oldStream.closed, cutStream.closed]), 'the end of both streams');
});
