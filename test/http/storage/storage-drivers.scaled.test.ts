import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { createLog } from '#server/platform/log.ts';
import { createDiskStorage } from '#server/platform/storage/disk/disk-storage.ts';
import { openStorage } from '#server/platform/storage/open-storage.ts';
import { createS3Storage, type S3Storage } from '#server/platform/storage/s3/s3-storage.ts';
import type { Storage } from '#server/platform/storage/storage.ts';
import { claimStorage } from '#server/platform/storage/storage-ownership.ts';
import { createBucket } from '../../../scripts/services/swift.mjs';
import { listStoredKeys, sha256Of } from '../../support/app/stored-objects.ts';
import { openStore } from '../../support/services/test-storage.ts';

const mebibyte = 1024 * 1024;
const log = createLog('silent');
const folder = await mkdtemp(join(tmpdir(), 'folio-storage-'));
const store = await openStore();
afterAll(async () => {
	await store.release();
	await rm(folder, { recursive: true, force: true });
});

const readAll = async (storage: Storage, key: string, range?: { start: number; end: number }) =>
	buffer(await storage.read(key, range));
const keysOf = (storage: Storage) => listStoredKeys({ storage });
async function openS3(): Promise<S3Storage> {
	return createS3Storage(await createBucket(store.settings), log);
}
const [s3Storage, multipartStorage] = [await openS3(), await openS3()];
afterAll(() => Promise.all([s3Storage.close(), multipartStorage.close()]));
async function writeLocalFile(name: string, bytes: Buffer): Promise<string> {
	const file = join(folder, name);
	await writeFile(file, bytes);
	return file;
}

describe.each(['disk', 's3'] as const)('the storage on %s', (kind) => {
	const storage: Storage = kind === 'disk' ? createDiskStorage(join(folder, 'storage')) : s3Storage;

	test('returns all stored bytes or a range, also for keys with special characters', async () => {
		const bytes = randomBytes(100_000);
		for (const key of ['files/a.bin', 'messages/some.one+x@example.com/1-_a.png', 'files/a b/c%20d&e=f.txt']) {
			expect(await storage.put(key, bytes)).toEqual({ sizeBytes: bytes.length, sha256: sha256Of(bytes) });
			expect(await readAll(storage, key)).toEqual(bytes);
			expect(await readAll(storage, key, { start: 0, end: 0 })).toEqual(bytes.subarray(0, 1));
			expect(await readAll(storage, key, { start: 70_000, end: 99_999 })).toEqual(bytes.subarray(70_000));
			await expect(readAll(storage, key, { start: 99_990, end: 100_000 })).rejects.toThrow('ends');
			expect(await storage.findSize(key)).toBe(bytes.length);
		}
		expect(await storage.put('files/empty', Buffer.alloc(0))).toMatchObject({ sizeBytes: 0 });
		expect(await storage.findSize('files/empty')).toBe(0);
		expect(await readAll(storage, 'files/empty')).toEqual(Buffer.alloc(0));
	});

	test('stores several objects at once, also in new folders', async () => {
		const objects = ['one/a', 'one/b', 'one/two/c'].map((key) => ({ key: `many/${key}`, bytes: randomBytes(20_000) }));
		const stored = objects.map(({ bytes }) => ({ sizeBytes: bytes.length, sha256: sha256Of(bytes) }));
		const results = await storage.putMany(objects);
		expect(results).toEqual(stored.map((value) => ({ status: 'fulfilled', value })));
		for (const { key, bytes } of objects) expect(await readAll(storage, key)).toEqual(bytes);
	});

	test('returns ENOENT or null for a missing key, and ignores its removal', async () => {
		await expect(storage.read('files/none')).rejects.toMatchObject({ code: 'ENOENT' });
		await expect(storage.read('files/none', { start: 1, end: 2 })).rejects.toMatchObject({ code: 'ENOENT' });
		await expect(storage.adopt('files/none', join(folder, 'none'))).rejects.toMatchObject({ code: 'ENOENT' });
		expect(await storage.findSize('files/none')).toBeNull();
		await storage.remove(['files/none', 'files/neither']);
		await storage.remove([]);
	});

	test.each([
		['small', 1000],
		['of several parts', 33 * mebibyte + 1],
		['empty', 0],
	])('moves a local file into the storage once, also when the move is repeated (%s)', async (what, sizeBytes) => {
		const bytes = randomBytes(sizeBytes);
		const file = await writeLocalFile(`adopted ${what}`, bytes);
		const stored = { sizeBytes, sha256: sha256Of(bytes) };
		await expect(storage.adopt(`adopted/${what}`, file, sizeBytes + 1)).rejects.toMatchObject({
			code: 'UPLOAD_OFFSET',
		});
		expect(await storage.adopt(`adopted/${what}`, file, sizeBytes)).toEqual(stored);
		expect(existsSync(file)).toBe(false);
		if (kind === 'disk') {
			await using handle = await open(folder);
			vi.spyOn(Object.getPrototypeOf(handle), 'sync').mockRejectedValueOnce(new Error('not durable'));
			await expect(storage.adopt(`adopted/${what}`, file)).rejects.toThrow('not durable');
			vi.restoreAllMocks();
		}
		expect(await storage.adopt(`adopted/${what}`, file)).toEqual(stored);
		expect((await readAll(storage, `adopted/${what}`)).equals(bytes)).toBe(true);
	});

	test('never contains an object before all of its bytes are stored', async () => {
		const bytes = randomBytes(24 * mebibyte);
		let isStored = false;
		const work = storage.put('half/put', bytes).finally(() => {
			isStored = true;
		});
		const seen = new Set<number | null>();
		while (!isStored) {
			seen.add(await storage.findSize('half/put'));
			await new Promise((resolve) => setImmediate(resolve));
		}
		await work;
		seen.add(await storage.findSize('half/put'));
		expect([...seen].filter((size) => size !== null)).toEqual([bytes.length]);
	});

	// The S3 store lists 100 keys on a page, and removes at most 1,000 keys with a request.
	test('lists each of 210 keys once, and removes 1,050 keys together, of which 840 do not exist', async () => {
		const before = await keysOf(storage);
		const named = Array.from({ length: 1050 }, (_, at) => `many/${String(at).padStart(4, '0')}`);
		const keys = named.filter((_, at) => at % 5 === 0);
		const remaining = [...keys];
		const put = async () => {
			for (let key = remaining.pop(); key !== undefined; key = remaining.pop())
				await storage.put(key, Buffer.from(key));
		};
		await Promise.all(Array.from({ length: 16 }, put));
		const startedAt = Date.now();
		expect(await keysOf(storage)).toEqual([...before, ...keys].sort());
		for await (const { modifiedAt } of storage.list()) expect(modifiedAt.getTime()).toBeLessThan(startedAt + 60_000);
		await storage.remove(named);
		expect(await keysOf(storage)).toEqual(before);
	});

	test('releases a stream that is not read to its end', async () => {
		await storage.put('large/let-go', randomBytes(8 * mebibyte));
		for (let time = 0; time < 60; time += 1) {
			const stream = await storage.read('large/let-go');
			for await (const chunk of stream) {
				expect((chunk as Buffer).length).toBeGreaterThan(0);
				break;
			}
			expect(stream.destroyed).toBe(true);
		}
		expect((await readAll(storage, 'large/let-go')).length).toBe(8 * mebibyte);
	});

	test('passes its health check, and returns free and total space', async () => {
		await storage.check();
		const { freeBytes, totalBytes } = await storage.getDiskSpace();
		expect(freeBytes).toBeGreaterThan(0);
		expect(totalBytes).toBeGreaterThanOrEqual(freeBytes);
	});
});

describe('multipart uploads', () => {
	const parts = [randomBytes(5 * mebibyte), randomBytes(6 * mebibyte), randomBytes(1000)] as const;
	const whole = Buffer.concat(parts);
	const stored = { sizeBytes: whole.length, sha256: sha256Of(whole) };
	const storage = multipartStorage;
	const put = async (key: string, handle: string, number: number, bytes = Buffer.alloc(0)) => {
		return { number, etag: await storage.multipart.putPart(key, handle, number, bytes) };
	};
	const putAll = (key: string, handle: string, numbers = [1, 2, 3]) =>
		Promise.all(numbers.map((number, at) => put(key, handle, number, parts[at])));

	test('become visible when they are completed, and return the same result when they are completed again', async () => {
		const { multipart } = storage;
		expect(multipart.minPartBytes).toBe(5 * mebibyte);
		const handle = await multipart.start('whole');
		const sent = await putAll('whole', handle);
		expect(await storage.findSize('whole')).toBeNull();
		expect(await keysOf(storage)).toEqual([]);
		expect(await multipart.complete('whole', handle, sent)).toEqual(stored);
		expect(await multipart.complete('whole', handle, sent)).toEqual(stored);
		expect((await readAll(storage, 'whole')).equals(whole)).toBe(true);
		const middle = { start: 4 * mebibyte, end: 7 * mebibyte };
		const read = await readAll(storage, 'whole', middle);
		expect(read.equals(whole.subarray(middle.start, middle.end + 1))).toBe(true);
		await storage.remove(['whole']);
		expect(await keysOf(storage)).toEqual([]);
	});

	test('accept replaced parts, omitted parts and gaps in the part numbers', async () => {
		const { multipart } = storage;
		const handle = await multipart.start('gaps');
		await multipart.putPart('gaps', handle, 7, randomBytes(5 * mebibyte));
		await multipart.putPart('gaps', handle, 4000, randomBytes(5 * mebibyte));
		const sent = await putAll('gaps', handle, [7, 300, 10_000]);
		expect(await multipart.complete('gaps', handle, sent)).toEqual(stored);
		expect((await readAll(storage, 'gaps')).equals(whole)).toBe(true);
		await storage.remove(['gaps']);
	});

	test('are listed until they are completed, and can be aborted twice', async () => {
		const { multipart } = storage;
		const handle = await multipart.start('dropped@example.com/x');
		await putAll('dropped@example.com/x', handle);
		const listStarted = async () => {
			const started = [];
			for await (const upload of multipart.listPending()) started.push(upload);
			return started;
		};
		expect(await listStarted()).toEqual([{ key: 'dropped@example.com/x', handle, startedAt: expect.any(Date) }]);
		await multipart.abort('dropped@example.com/x', handle);
		await multipart.abort('dropped@example.com/x', handle);
		expect(await listStarted()).toEqual([]);
		expect(await storage.findSize('dropped@example.com/x')).toBeNull();
		await expect(multipart.complete('dropped@example.com/x', handle, [])).rejects.toThrow();
	});
});

describe.each(['disk', 's3'] as const)('claimStorage on %s', (kind) => {
	const open = async () => (kind === 'disk' ? createDiskStorage(await mkdtemp(join(folder, 'claimed-'))) : openS3());

	test('marks the storage as used by an installation, and refuses another installation', async () => {
		const storage = await open();
		expect(await claimStorage(storage, 'ours')).toBe('ours');
		expect(await claimStorage(storage, 'ours')).toBe('ours');
		expect(await keysOf(storage)).toEqual([]);
		await storage.put('files/a', Buffer.from('a'));
		expect(await claimStorage(storage, 'ours')).toBe('ours');
		expect(await claimStorage(storage, 'theirs', async () => true)).toBe('another installation');
		// The marker file is not listed, because maintenance deletes listed objects without a row.
		expect(await keysOf(storage)).toEqual(['files/a']);
		await storage.close();
	});

	test('succeeds for 12 processes of the same installation that start at the same time', async () => {
		const storage = await open();
		const claims = await Promise.all(Array.from({ length: 12 }, () => claimStorage(storage, 'ours')));
		expect(claims).toEqual(claims.map(() => 'ours'));
		await storage.close();
	});

	test('refuses a storage with other objects, unless they are objects of the installation', async () => {
		const storage = await open();
		await storage.put('holiday.jpg', Buffer.from('a'));
		expect(await claimStorage(storage, 'ours')).toBe('something else');
		expect(await keysOf(storage)).toEqual(['holiday.jpg']);
		expect(await claimStorage(storage, 'ours', async () => true)).toBe('ours');
		expect(await claimStorage(storage, 'theirs')).toBe('another installation');
		await storage.close();
	});
});

describe('an S3 bucket', () => {
	const opener = (id: string) => ({ findInstallationId: async () => id, hasFiles: async () => false, log });

	test('does not list the backups in the bucket', async () => {
		const storage = await openS3();
		await storage.put('backups/then/a', Buffer.from('a'));
		expect(await keysOf(storage)).toEqual([]);
		await storage.close();
	});

	test.each([
		['does not exist', { bucket: 'there-is-none' }, /^Invalid settings: S3_BUCKET there-is-none does not exist\.$/u],
		[
			'refuses the access key',
			{ secretAccessKey: 'wrong' },
			/^Invalid settings: S3_BUCKET \S+ cannot be used: [^\n]+$/u,
		],
		[
			'has an address without a server',
			{ endpoint: 'http://127.0.0.1:1' },
			/^Invalid settings: S3_ENDPOINT http:\/\/127\.0\.0\.1:1 does not answer: .*ECONNREFUSED/u,
		],
	])('that %s stops the start with an error that contains the name of the setting', async (_what, wrong, sentence) => {
		const s3 = { ...(await createBucket(store.settings)), ...wrong };
		await expect(openStorage({ DATA_DIR: folder, s3 }, opener('ours'))).rejects.toThrow(sentence);
	});

	test('that is used by another installation stops the start', async () => {
		const s3 = await createBucket(store.settings);
		await (await openStorage({ DATA_DIR: folder, s3 }, opener('theirs'))).close();
		await expect(openStorage({ DATA_DIR: folder, s3 }, opener('ours'))).rejects.toThrow(
			/^Invalid settings: S3_BUCKET \S+ belongs to another Folio[^\n]*\.$/u,
		);
	});
});
