import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { checkIntegrity, collectGarbage } from '#server/features/maintenance/tasks/tasks.service.ts';
import { isoAt } from '#server/platform/clock.ts';
import { findRows, insertRows } from '../../support/app/database-rows.ts';
import { isServed, openFaultyStorageApp, shortRetryPolicy } from '../../support/app/faulty-storage-app.ts';
import { listStoredKeys, makeStoredObjectOld } from '../../support/app/stored-objects.ts';
import { makeSignedInUser } from '../../support/app/users.ts';
import { readChat, sendChatFile, sendText } from '../../support/fixtures/chat.ts';
import { makeFile } from '../../support/fixtures/files.ts';
import type { ProxyFault } from '../../support/services/faulty-proxy.ts';

/** Enough time for three attempts with the longest timeout, also on a busy machine. */
const inTimeMs = 25_000;
const outages: ProxyFault[] = [{ kind: 'status', status: 503 }, { kind: 'refusal' }, { kind: 'silence' }];

const faultyApp = await openFaultyStorageApp();
const { testApp, proxy, recover, admin, member, memberId, picture, writes } = faultyApp;
const { deps } = testApp;
afterEach(() => vi.restoreAllMocks());

async function timed<T>(work: () => Promise<T>): Promise<T> {
	const startedAt = performance.now();
	const result = await work();
	expect(performance.now() - startedAt).toBeLessThan(inTimeMs);
	return result;
}

describe.each(outages)('while the file store fails with $kind', (fault) => {
	test('refuses every write within 25 seconds with a message, stores no row, and recovers afterwards', async () => {
		for (const write of Object.values(writes)) expect(isServed(await write())).toBe(true);
		const before = await faultyApp.countRows();
		proxy.setFault(fault);
		const warn = vi.spyOn(deps.log, 'warn');
		const error = vi.spyOn(deps.log, 'error');
		const answers = await Promise.all(Object.values(writes).map((write) => timed(write)));
		expect(answers.map(isServed)).toEqual(Object.keys(writes).map(() => false));
		expect(await faultyApp.countRows()).toEqual(before);
		// The log has at most one line about the store, and a line without a stack trace for each request.
		const warnings = warn.mock.calls.map(([, sentence]) => sentence);
		expect(warnings.filter((sentence) => sentence === 'the file store does not answer').length).toBeLessThan(2);
		expect(warnings.filter((sentence) => sentence === 'request failed')).toHaveLength(answers.length);
		expect(JSON.stringify(warn.mock.calls)).not.toContain('    at ');
		expect(error).not.toHaveBeenCalled();
		await recover();
		for (const write of Object.values(writes)) expect(isServed(await write())).toBe(true);
		await faultyApp.expectConsistent();
	});

	test('GET /readyz returns 503, and 200 after the recovery', async () => {
		const ready = async () => {
			const answer = await timed(() => admin.call('GET', '/readyz'));
			return [answer.statusCode, answer.json()];
		};
		expect(await ready()).toEqual([200, { database: 'ok', storage: 'ok' }]);
		proxy.setFault(fault);
		expect(await ready()).toEqual([503, { database: 'ok', storage: 'failed' }]);
		expect((await admin.call('GET', '/healthz')).statusCode).toBe(200);
		await recover();
		expect(await ready()).toEqual([200, { database: 'ok', storage: 'ok' }]);
	});

	test('refuses a read with an error that browsers do not cache', async () => {
		const id = await makeFile(deps, { ownerId: memberId, name: `${fault.kind}.txt`, bytes: Buffer.from('here') });
		const read = (headers?: Record<string, string>) =>
			member.call('GET', `/api/files/${id}/content`, undefined, headers);
		expect((await read()).headers.etag).toBeDefined();
		proxy.setFault(fault);
		const refused = await timed(read);
		expect(isServed(refused)).toBe(false);
		expect(refused.headers['cache-control']).toBe('no-store');
		for (const name of ['etag', 'accept-ranges', 'content-disposition']) expect(refused.headers[name]).toBeUndefined();
		const opened = await read({ 'sec-fetch-mode': 'navigate', 'accept-language': 'hi' });
		expect([opened.statusCode, opened.headers['content-type']]).toEqual([503, 'text/html; charset=utf-8']);
		await recover();
		expect((await read()).body).toBe('here');
	});
});

test('GET /api/spaces returns null as the free bytes of an S3 store', async () => {
	const { totals } = (await admin.call('GET', '/api/spaces')).json();
	expect(totals.freeBytes).toBeNull();
});

test('rows and bytes stay consistent while half of the responses of the store are errors', async () => {
	const before = await faultyApp.countRows();
	const served = { purchase: 0, chatFile: 0, film: 0, picture: 0, qr: 0, replyFile: 0, read: 0 };
	const id = await makeFile(deps, { ownerId: memberId, name: 'half.bin', bytes: randomBytes(100_000) });
	proxy.setFault({ kind: 'status', status: 500, every: 2 });
	const rounds = 12;
	const calls = { ...writes, read: () => member.call('GET', `/api/files/${id}/content`) };
	const callOnce = async (name: keyof typeof calls) => {
		if (isServed(await timed(calls[name]))) served[name] += 1;
	};
	const names = Object.keys(calls) as Array<keyof typeof calls>;
	for (let round = 0; round < rounds; round += 1) await Promise.all(names.map(callOnce));
	const after = await faultyApp.countRows();
	expect([after.orders - before.orders, after.messages - before.messages]).toEqual([served.purchase, served.chatFile]);
	// Because of the retries, more than a third of these calls succeed.
	for (const name of ['purchase', 'chatFile', 'read'] as const) expect(served[name]).toBeGreaterThan(rounds / 3);
	await faultyApp.expectConsistent();
});

test('retries a write when the response of the store is lost, and stores no order when all attempts fail', async () => {
	const before = await faultyApp.countRows();
	proxy.setFault({ kind: 'lost-answer', method: 'PUT', times: 2 });
	expect(isServed(await writes.purchase())).toBe(true);
	expect((await faultyApp.countRows()).orders).toBe(before.orders + 1);
	proxy.setFault({ kind: 'lost-answer', method: 'PUT' });
	expect(isServed(await writes.purchase())).toBe(false);
	// Requests without a body are answered, so only the writes fail.
	await expect(deps.storage.read('files/missing')).rejects.toMatchObject({ code: 'ENOENT' });
	expect(deps.storage.isAnswering()).toBe(true);
	await recover();
	expect((await faultyApp.countRows()).orders).toBe(before.orders + 1);
	expect((await listStoredKeys(deps)).length).toBe((await faultyApp.countRows()).blobs + 1);
	await faultyApp.expectConsistent();
});

test('a store that stays silent is asked by probes only: calls fail within 5 seconds, and work without files goes on', async () => {
	const file = { ownerId: memberId, name: 'silent.txt', bytes: Buffer.from('here') };
	const id = await makeFile(deps, file);
	const read = () => member.call('GET', `/api/files/${id}/content`);
	const metric = async () => /^folio_storage_answering (\d)$/mu.exec((await testApp.app.inject('/metrics')).body)?.[1];
	expect(await metric()).toBe('1');
	proxy.setFault({ kind: 'silence' });
	await Promise.all([writes.qr(), read()]);
	await expect.poll(metric).toBe('0');
	for (const call of [read, ...Object.values(writes)]) {
		const startedAt = performance.now();
		expect(isServed(await call())).toBe(false);
		expect(performance.now() - startedAt).toBeLessThan(5000);
	}
	const { client } = await makeSignedInUser(testApp, 'signs-in@example.com');
	expect((await client.call('GET', '/api/spaces/guest/nodes')).statusCode).toBe(200);
	expect((await admin.call('GET', '/api/orders')).statusCode).toBe(200);
	expect((await sendText(member, memberId, 'still here')).statusCode).toBe(200);
	expect((await admin.call('GET', '/readyz')).json()).toEqual({ database: 'ok', storage: 'failed' });
	proxy.setFault({ kind: 'none' });
	await expect.poll(async () => (await read()).body).toBe('here');
	expect(await metric()).toBe('1');
	expect(isServed(await writes.purchase())).toBe(true);
});

describe('reading stored bytes', () => {
	const bytes = randomBytes(3 * 1024 * 1024);
	const key = 'files/test/read';
	beforeAll(async () => {
		await deps.storage.put(key, bytes);
	});
	afterAll(() => deps.storage.remove([key]));
	const read = async (range?: { start: number; end: number }) => buffer(await deps.storage.read(key, range));

	test.each<[string, ProxyFault]>([
		['end too early', { kind: 'cut', afterBytes: 700_000, times: 3 }],
		['end before the first byte', { kind: 'cut', afterBytes: 0, times: 2 }],
		['end after 300 KB each', { kind: 'cut', afterBytes: 300_000 }],
		['stop before their end', { kind: 'stall', afterBytes: 700_000, times: 1 }],
	])('continues at the next byte when the responses %s', async (_what, fault) => {
		proxy.setFault(fault);
		expect((await read()).equals(bytes)).toBe(true);
		proxy.setFault(fault);
		const part = await read({ start: 1000, end: 2_500_000 });
		expect(part.equals(bytes.subarray(1000, 2_500_001))).toBe(true);
	});

	test.each<[string, ProxyFault]>([
		['end too early', { kind: 'cut', afterBytes: 0 }],
		['stop', { kind: 'stall', afterBytes: 0 }],
	])('fails after three attempts when all responses %s', async (_what, fault) => {
		proxy.setFault(fault);
		const before = proxy.requests;
		await expect(timed(() => read())).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
		expect(proxy.requests - before).toBe(shortRetryPolicy.maxAttempts);
	});

	test('waits for a slow client, and requests the bytes only once', async () => {
		const before = proxy.requests;
		const chunks: Buffer[] = [];
		for await (const chunk of await deps.storage.read(key)) {
			chunks.push(chunk as Buffer);
			if (chunks.length === 1) await sleep(3 * shortRetryPolicy.idleTimeoutMs);
		}
		expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
		expect(proxy.requests - before).toBe(1);
	});

	test('aborts a running download when the store keeps failing, or returns an error if no byte was sent', async () => {
		const id = await makeFile(deps, { ownerId: memberId, name: 'gone-for-good.bin', bytes });
		const get = () => member.call('GET', `/api/files/${id}/content`);
		proxy.setFault({ kind: 'cut', afterBytes: 0 });
		const refused = await get();
		expect(isServed(refused)).toBe(false);
		expect([refused.headers['cache-control'], refused.headers.etag]).toEqual(['no-store', undefined]);
		const { read: open } = deps.storage;
		vi.spyOn(deps.storage, 'read').mockImplementation(async (...args) => {
			const stream = await open(...args);
			stream.once('data', () => proxy.setFault({ kind: 'cut', afterBytes: 0 }));
			return stream;
		});
		proxy.setFault({ kind: 'cut', afterBytes: 1_000_000, times: 1 });
		await expect(get()).rejects.toThrow();
		vi.restoreAllMocks();
		await recover();
		expect((await get()).rawPayload.equals(bytes)).toBe(true);
	});
});

describe('background work', () => {
	test('hides deleted messages immediately, and deletes their files after the store has recovered', async () => {
		isServed(await sendChatFile(member, memberId, { name: 'going.png', bytes: picture }));
		await testApp.runDueWork();
		const folder = 'messages/';
		expect((await listStoredKeys(deps, folder)).length).toBeGreaterThan(0);
		proxy.setFault({ kind: 'refusal' });
		expect((await admin.call('DELETE', `/api/chats/${memberId}/messages`)).statusCode).toBeLessThan(300);
		const error = vi.spyOn(deps.log, 'error');
		await testApp.runDueWork();
		expect((await readChat(member, memberId)).items).toEqual([]);
		await recover();
		expect((await listStoredKeys(deps, folder)).length).toBeGreaterThan(0);
		// The integrity check accepts objects whose deletion is delayed.
		for (const key of await listStoredKeys(deps)) makeStoredObjectOld(deps, key);
		expect((await checkIntegrity(deps)).problems).toEqual([]);
		testApp.clock.advance(600);
		await testApp.runDueWork();
		expect(await listStoredKeys(deps, folder)).toEqual([]);
		expect(error).not.toHaveBeenCalled();
	});

	test('creates thumbnails after the store has recovered', async () => {
		const file = { ownerId: memberId, name: 'to-draw.png', bytes: picture, contentType: 'image/png' };
		const id = await makeFile(deps, file);
		const thumb = () => member.call('GET', `/api/files/${id}/thumb`);
		expect((await thumb()).statusCode).toBe(404);
		proxy.setFault({ kind: 'refusal' });
		for (let time = 0; time < 6; time += 1) {
			await testApp.runDueWork();
			testApp.clock.advance(600);
		}
		await recover();
		expect((await thumb()).statusCode).toBe(404);
		testApp.clock.advance(600);
		await testApp.runDueWork();
		expect((await thumb()).statusCode).toBe(200);
		await faultyApp.expectConsistent();
	});

	test('aborts only old multipart uploads without an upload row', async () => {
		const { multipart } = deps.storage;
		if (multipart === null) throw new Error('This storage has no multipart uploads.');
		const keys = ['files/test/forgotten', 'files/test/young', 'files/test/wanted'];
		for (const key of keys) await multipart.putPart(key, await multipart.start(key), 1, Buffer.from('x'));
		const list = multipart.listPending.bind(multipart);
		vi.spyOn(multipart, 'listPending').mockImplementation(async function* () {
			const longAgo = new Date(testApp.clock.now().getTime() - 9 * 24 * 3600 * 1000);
			for await (const pending of list())
				yield pending.key === 'files/test/young' ? pending : { ...pending, startedAt: longAgo };
		});
		const upload = { id: 'wanted', user_id: memberId, owner_id: memberId, path: '', name: 'wanted', size_bytes: 9 };
		const row = { ...upload, created_at: isoAt(testApp.clock), storage_key: 'files/test/wanted' };
		await insertRows(deps, 'uploads', [row]);
		await collectGarbage(deps);
		const remaining = [];
		for await (const { key } of list()) remaining.push(key);
		expect(remaining.sort()).toEqual(['files/test/wanted', 'files/test/young']);
		await deps.db.deleteFrom('uploads').where('id', '=', 'wanted').execute();
	});

	test('runs the remaining maintenance tasks when one task fails', async () => {
		proxy.setFault({ kind: 'refusal' });
		await insertRows(deps, 'rate_limits', [{ key: 'old', resets_at: '2020-01-01T00:00:00.000Z', count: 1 }]);
		await expect(collectGarbage(deps)).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
		expect(await findRows(deps, 'rate_limits', { key: 'old' })).toEqual([]);
		await faultyApp.expectConsistent();
	});
});
