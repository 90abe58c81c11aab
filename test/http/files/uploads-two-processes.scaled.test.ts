import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { systemCaller } from '#server/features/audit/audit.service.ts';
import { createPartWriter } from '#server/features/files/uploads/storage/part-writer.ts';
import { findUpload } from '#server/features/files/uploads/uploads.queries.ts';
import {
	createUploadStore,
	finishUpload,
	resumeOrDiscardUploads,
} from '#server/features/files/uploads/uploads.service.ts';
import { checkIntegrity } from '#server/features/maintenance/tasks/tasks.service.ts';
import { readDatabaseTime } from '#server/platform/database/connection.ts';
import { newId } from '#server/platform/ids.ts';
import { findRows } from '../../support/app/database-rows.ts';
import { listen } from '../../support/app/event-streams.ts';
import type { HttpClient } from '../../support/app/http-client.ts';
import { createHttpClient } from '../../support/app/http-client.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { getBlobOfFile, listStoredKeys, sha256Of } from '../../support/app/stored-objects.ts';
import { createSecondProcess, type TestApp } from '../../support/app/test-app.ts';
import { testPassword } from '../../support/app/users.ts';
import {
	beginUpload,
	findUploadParts,
	isStoringPartsOnDisk,
	receiveBytes,
	sendFirstBytes,
	tus,
	tusChunk,
	waitForFirstBytes,
} from '../../support/fixtures/uploads.ts';
import { testDatabase } from '../../support/services/test-database.ts';

const mebibyte = 1024 * 1024;

interface Server extends TestApp {
	url: string;
	admin: HttpClient;
}

const { testApp, admin } = await openTestApp();
const secondApp = await createSecondProcess(testApp);
const secondAdmin = createHttpClient(secondApp.app);
await secondAdmin.signIn('admin@example.com', testPassword);
const firstServer: Server = { ...testApp, url: await listen(testApp.app), admin };
const secondServer: Server = { ...secondApp, url: await listen(secondApp.app), admin: secondAdmin };
afterEach(async () => {
	await firstServer.deps.db.deleteFrom('uploads').where('finished_at', 'is', null).execute();
});
afterAll(async () => {
	expect((await checkIntegrity(firstServer.deps)).problems).toEqual([]);
	await secondServer.close();
});

/** Starts an upload of random bytes into the guest space. @returns the ID of the upload, and the bytes */
async function begin(filename: string, sizeBytes: number, conflict = 'skip') {
	const id = newId();
	const answer = await beginUpload(admin, { owner: 'guest', filename, id, conflict }, sizeBytes);
	expect(answer.statusCode, answer.body).toBe(201);
	return { id, bytes: randomBytes(sizeBytes) };
}

/** Sends one chunk over a TCP connection. @returns the status, or 0 when the connection ended without a response */
async function send(server: Server, id: string, bytes: Buffer, offset: number): Promise<number> {
	const answer = await fetch(`${server.url}/api/uploads/${id}`, {
		method: 'PATCH',
		headers: { ...tusChunk(offset), cookie: server.admin.cookie() },
		body: new Uint8Array(bytes),
	}).catch(() => null);
	return answer?.status ?? 0;
}

/** Sends the first bytes of a chunk. @returns the open request and a promise of its status, 0 without a response */
async function sendHalf(server: Server, id: string, bytes: Buffer, announcedBytes: number) {
	const sending = sendFirstBytes(server.url, server.admin, `/api/uploads/${id}`, bytes, announcedBytes);
	await waitForFirstBytes(server.deps, id);
	return sending;
}

async function getOffset(server: Server, id: string): Promise<number> {
	const answer = await server.admin.call('HEAD', `/api/uploads/${id}`, undefined, tus);
	expect(answer.statusCode).toBe(200);
	return Number(answer.headers['upload-offset']);
}

/** Runs `work` once, before the first server reads bytes from the store. */
function beforeNextRead(work: () => Promise<void>): void {
	const { storage } = firstServer.deps;
	const { read } = storage;
	storage.read = async (key, range) => {
		storage.read = read;
		await work();
		return read(key, range);
	};
}

const findFiles = async (prefix: string) => {
	const nodes = await findRows(firstServer.deps, 'nodes', { deleted_at: null });
	return nodes.filter(({ name }) => name.startsWith(prefix));
};

/** Expects exactly one file whose name starts with `prefix`. The file must have this name and these bytes. */
async function expectOneFile(prefix: string, bytes: Buffer, name = prefix): Promise<void> {
	const files = await findFiles(prefix);
	expect(files).toMatchObject([{ name, size_bytes: bytes.length }]);
	expect((await getBlobOfFile(firstServer.deps, { name, deleted_at: null })).sha256).toBe(sha256Of(bytes));
}

// Only PostgreSQL allows a second server.
if (testDatabase === 'postgres')
	describe('two servers on one database', () => {
		test('can receive the chunks of an upload in turns', async () => {
			const { id, bytes } = await begin('in turns.bin', 21 * mebibyte + 12_345);
			const cuts = [0, 300_000, 9 * mebibyte, 9 * mebibyte + 1, 20 * mebibyte, bytes.length];
			for (const [index, from] of cuts.slice(0, -1).entries()) {
				const server = index % 2 === 0 ? firstServer : secondServer;
				expect(await getOffset(server, id)).toBe(from);
				expect(await send(server, id, bytes.subarray(from, cuts[index + 1]), from)).toBe(204);
			}
			await expectOneFile('in turns.bin', bytes);
			expect(await findUploadParts(firstServer.deps, id)).toEqual([]);
		});

		test('store all received bytes when one server returns the offset while the other server receives a chunk', async () => {
			const { id, bytes } = await begin('handed over.bin', 10 * mebibyte);
			const { status } = await sendHalf(firstServer, id, bytes.subarray(0, 6 * mebibyte), bytes.length);
			const listed = await secondServer.admin.call('GET', '/api/uploads');
			expect(listed.json().items).toMatchObject([{ id, isReceiving: true }]);
			const from = await getOffset(secondServer, id);
			expect(from).toBe(6 * mebibyte);
			expect(await status).toBeOneOf([0, 204]);
			expect(await send(secondServer, id, bytes.subarray(from), from)).toBe(204);
			await expectOneFile('handed over.bin', bytes);
		});

		test('accept one of two chunks for the same offset', async () => {
			const { id, bytes } = await begin('same place.bin', 10 * mebibyte + 1);
			const [start, end] = [bytes.subarray(0, -1), bytes.subarray(-1)];
			const other = randomBytes(start.length);
			const statuses = await Promise.all([send(firstServer, id, start, 0), send(secondServer, id, other, 0)]);
			expect(statuses.toSorted()).toEqual([204, 409]);
			expect(await getOffset(firstServer, id)).toBe(start.length);
			expect(await send(firstServer, id, end, start.length)).toBe(204);
			await expectOneFile('same place.bin', Buffer.concat([statuses[0] === 204 ? start : other, end]));
		});

		test.each([1000, 9 * mebibyte])(
			'create one file when both servers finish an upload of %i bytes at the same time',
			async (sizeBytes) => {
				const name = `finished twice ${sizeBytes}.bin`;
				const { id, bytes } = await begin(name, sizeBytes, 'rename');
				await receiveBytes(firstServer.deps, id, bytes);
				await Promise.all([
					finishUpload(firstServer.deps, systemCaller, id),
					finishUpload(secondServer.deps, systemCaller, id),
					resumeOrDiscardUploads(secondServer.deps),
					getOffset(firstServer, id),
					getOffset(secondServer, id),
				]);
				await expectOneFile(`finished twice ${sizeBytes}`, bytes, name);
			},
		);

		test('create one file when one server loses its lease at the end of the upload', async () => {
			const { id, bytes } = await begin('lost lease.bin', 1000, 'rename');
			await receiveBytes(firstServer.deps, id, bytes);
			beforeNextRead(async () => {
				await firstServer.deps.db.deleteFrom('leases').execute();
				await finishUpload(secondServer.deps, systemCaller, id);
			});
			await finishUpload(firstServer.deps, systemCaller, id);
			await expectOneFile('lost lease', bytes, 'lost lease.bin');
		});

		test('delete an upload that is cancelled on one server while the other server receives its bytes', async () => {
			const { id, bytes } = await begin('canceled.bin', 9 * mebibyte);
			const { status } = await sendHalf(firstServer, id, bytes.subarray(0, 5 * mebibyte), bytes.length);
			expect((await secondServer.admin.call('DELETE', `/api/uploads/${id}`, undefined, tus)).statusCode).toBe(204);
			expect(await status).toBeOneOf([0, 204]);
			expect(await findUploadParts(firstServer.deps, id)).toEqual([]);
			expect((await secondServer.admin.call('HEAD', `/api/uploads/${id}`, undefined, tus)).statusCode).toBe(404);
			expect(await findFiles('canceled')).toEqual([]);
		});

		test('continue an upload of a killed process when its lease has expired', async () => {
			const { id, bytes } = await begin('held by the dead.bin', 5);
			const { expires_at: expiresAt } = await firstServer.deps.db
				.insertInto('leases')
				.values({
					name: `upload ${id}`,
					owner: 'somebody killed',
					expires_at: sql<string>`to_char((now() + interval '2 seconds') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
				})
				.returning('expires_at')
				.executeTakeFirstOrThrow();
			expect(await send(secondServer, id, bytes, 0)).toBe(204);
			expect((await readDatabaseTime(firstServer.deps.db)) >= expiresAt).toBe(true);
		});
	});

if (!isStoringPartsOnDisk)
	describe('uploads to an object store', () => {
		/** Creates the part writer of a process, starting at the current offset of an upload. */
		async function writerOn(server: Server, id: string) {
			const upload = await findUpload(server.deps.db, id);
			const { multipart } = server.deps.storage;
			if (upload === undefined || multipart === null) throw new Error('There is no upload on a store.');
			return createPartWriter(server.deps, multipart, upload);
		}

		test('continue after the last stored part when their process was killed', async () => {
			const { id, bytes } = await begin('killed.bin', 20 * mebibyte);
			expect(await send(firstServer, id, bytes.subarray(0, mebibyte), 0)).toBe(204);
			const killed = await writerOn(firstServer, id);
			// Only one part is stored. The other bytes are in the memory of the killed process.
			await killed.add(bytes.subarray(mebibyte, 14 * mebibyte));
			await expect.poll(() => getOffset(secondServer, id)).toBe(8 * mebibyte);
			expect(await send(secondServer, id, bytes.subarray(8 * mebibyte), 8 * mebibyte)).toBe(204);
			killed.close();
			await expectOneFile('killed.bin', bytes);
		});

		test.each([
			['a full part', 17],
			['an incomplete part', 3],
			['the last part', 20],
		])('refuse %s from a process when another process has continued the upload', async (_what, lateMebibytes) => {
			const name = `late ${lateMebibytes}.bin`;
			const { id, bytes } = await begin(name, 20 * mebibyte);
			expect(await send(firstServer, id, bytes.subarray(0, mebibyte), 0)).toBe(204);
			const late = await writerOn(firstServer, id);
			const wrong = Buffer.alloc(lateMebibytes * mebibyte - mebibyte, 'wrong');
			await late.add(wrong.subarray(0, 1));
			expect(await send(secondServer, id, bytes.subarray(mebibyte, 2 * mebibyte), mebibyte)).toBe(204);
			await expect(late.add(wrong.subarray(1)).then(late.end)).rejects.toMatchObject({ code: 'UPLOAD_OFFSET' });
			late.close();
			expect(await send(secondServer, id, bytes.subarray(2 * mebibyte), 2 * mebibyte)).toBe(204);
			await expectOneFile(name, bytes);
		});

		test('refuse the bytes of a process when another process has continued the upload, and keep the offset', async () => {
			const { id, bytes } = await begin('tail taken.bin', 3 * mebibyte);
			expect(await send(firstServer, id, bytes.subarray(0, mebibyte), 0)).toBe(204);
			beforeNextRead(async () =>
				expect(await send(secondServer, id, bytes.subarray(mebibyte, 2 * mebibyte), mebibyte)).toBe(204),
			);
			const late = createUploadStore(firstServer.deps).write(Readable.from([Buffer.alloc(10, 'wrong')]), id, mebibyte);
			await expect(late).rejects.toMatchObject({ code: 'UPLOAD_OFFSET' });
			expect(await getOffset(firstServer, id)).toBe(2 * mebibyte);
			expect(await send(firstServer, id, bytes.subarray(2 * mebibyte), 2 * mebibyte)).toBe(204);
			await expectOneFile('tail taken.bin', bytes);
		});

		test('store one object when two processes receive a whole small file', async () => {
			const { id, bytes } = await begin('small.bin', 1000);
			const late = await writerOn(firstServer, id);
			await late.add(Buffer.alloc(1000, 'wrong'));
			expect(await send(secondServer, id, bytes, 0)).toBe(204);
			await expect(late.end()).rejects.toMatchObject({ code: 'UPLOAD_OFFSET' });
			late.close();
			await expectOneFile('small.bin', bytes);
			const kept = await listStoredKeys(firstServer.deps);
			expect(kept.filter((key) => key.endsWith('-small.bin'))).toHaveLength(1);
		});

		test.each([9, 12])('start again when the store has lost the first %i MiB of 12 MiB', async (receivedMebibytes) => {
			const name = `lost ${receivedMebibytes}.bin`;
			const { id, bytes } = await begin(name, 12 * mebibyte);
			const received = receivedMebibytes * mebibyte;
			await receiveBytes(firstServer.deps, id, bytes.subarray(0, received));
			const upload = await findUpload(firstServer.deps.db, id);
			await firstServer.deps.storage.multipart?.abort(upload?.storage_key ?? '', upload?.multipart_id ?? '');
			if (received < bytes.length) expect(await send(firstServer, id, bytes.subarray(received), received)).toBe(409);
			expect(await getOffset(secondServer, id)).toBe(0);
			expect(await send(secondServer, id, bytes, 0)).toBe(204);
			await expectOneFile(name, bytes);
		});

		test('keep all bytes that were received before the connection was lost', async () => {
			const { id, bytes } = await begin('broken.bin', 10 * mebibyte);
			const { openRequest, status } = await sendHalf(
				firstServer,
				id,
				bytes.subarray(0, 2 * mebibyte + 7),
				bytes.length,
			);
			openRequest.destroy();
			expect(await status).toBe(0);
			await expect.poll(() => getOffset(firstServer, id)).toBe(2 * mebibyte + 7);
			expect(await findUploadParts(firstServer.deps, id)).toHaveLength(1);
			expect(await send(firstServer, id, bytes.subarray(2 * mebibyte + 7), 2 * mebibyte + 7)).toBe(204);
			await expectOneFile('broken.bin', bytes);
			expect(await findUploadParts(firstServer.deps, id)).toEqual([]);
		});

		test('write their buffered bytes to the store after some time when other uploads wait for memory', async () => {
			const bytes = randomBytes(9 * mebibyte);
			const writers = [];
			for (let index = 0; index < 17; index += 1)
				writers.push(await writerOn(firstServer, (await begin(`in line ${index}.bin`, bytes.length)).id));
			const [first, ...others] = writers;
			if (first === undefined) throw new Error('There is no writer.');
			await first.add(bytes.subarray(0, mebibyte));
			const finished: number[] = [];
			const start = bytes.subarray(0, mebibyte);
			const waiting = others.map((writer, index) => writer.add(start).then(() => finished.push(index)));
			await expect.poll(() => finished).toHaveLength(15);
			await first.add(null);
			expect(first.position().arrivedBytes).toBe(0);
			const later = performance.now() + 11_000;
			const clock = vi.spyOn(performance, 'now').mockReturnValue(later);
			await first.add(null).finally(() => clock.mockRestore());
			expect(first.position()).toMatchObject({ arrivedBytes: mebibyte, tailBytes: mebibyte });
			await Promise.all(waiting);
			for (const writer of others) writer.close();
			await first.add(bytes.subarray(mebibyte));
			expect(await first.end()).toBe(bytes.length);
		});

		test('are all completed when 20 uploads are sent at the same time', async () => {
			const names = Array.from({ length: 20 }, (_, index) => `many ${index}.bin`);
			const uploads = await Promise.all(names.map((name) => begin(name, 9 * mebibyte)));
			const statuses = await Promise.all(uploads.map(({ id, bytes }) => send(firstServer, id, bytes, 0)));
			expect(statuses).toEqual(uploads.map(() => 204));
			for (const [index, { bytes }] of uploads.entries()) await expectOneFile(`many ${index}.bin`, bytes);
		});
	});
