import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '#server/platform/log.ts';
import { createDiskStorage } from '#server/platform/storage/disk/disk-storage.ts';
import { openStorage } from '#server/platform/storage/open-storage.ts';
import { createS3Storage, type S3Storage } from '#server/platform/storage/s3/s3-storage.ts';
import type { Storage } from '#server/platform/storage/storage.ts';
import { claimStorage } from '#server/platform/storage/storage-ownership.ts';
import { createBucket, openStore, type StoreSettings } from '../../support/services/test-storage.ts';

const mebibyte = 1024 * 1024;
const log = createLog('silent');
let folder: string;
let store: { settings: StoreSettings; release(): Promise<void> };

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'folio-storage-'));
	store = await openStore();
});
afterAll(async () => {
	await store.release();
	await rm(folder, { recursive: true, force: true });
});

const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const readAll = async (storage: Storage, key: string, range?: { start: number; end: number }) =>
	buffer(await storage.read(key, range));
async function keysOf(storage: Storage): Promise<string[]> {
	const keys: string[] = [];
	for await (const { key } of storage.list()) keys.push(key);
	return keys.sort();
}
async function openS3(): Promise<S3Storage> {
	return createS3Storage(await createBucket(store.settings), log);
}
async function local(name: string, bytes: Buffer): Promise<string> {
	const file = join(folder, name);
	await writeFile(file, bytes);
	return file;
}

describe.each(['disk', 's3'] as const)('on %s', (kind) => {
	let storage: Storage;
	beforeAll(async () => {
		storage = kind === 'disk' ? createDiskStorage(join(folder, 'storage')) : await openS3();
	});
	afterAll(() => storage.close());

	test('what is put is read as it was, whole and in part, under any key that there may be', async () => {
		const bytes = randomBytes(100_000);
		for (const key of ['files/a.bin', 'messages/some.one+x@example.com/1-_a.png', 'files/a b/c%20d&e=f.txt']) {
			expect(await storage.put(key, bytes)).toEqual({ sizeBytes: bytes.length, sha256: sha256Of(bytes) });
			expect(await readAll(storage, key)).toEqual(bytes);
			expect(await readAll(storage, key, { start: 0, end: 0 })).toEqual(bytes.subarray(0, 1));
			expect(await readAll(storage, key, { start: 70_000, end: 99_999 })).toEqual(bytes.subarray(70_000));
			expect(await readAll(storage, key, { start: 99_990, end: 200_000 })).toEqual(bytes.subarray(99_990));
			expect(await storage.findSize(key)).toBe(bytes.length);
		}
		expect(await storage.put('files/empty', Buffer.alloc(0))).toMatchObject({ sizeBytes: 0 });
		expect([await storage.findSize('files/empty'), await readAll(storage, 'files/empty')]).toEqual([
			0,
			Buffer.alloc(0),
		]);
	});

	test('what is not there is missing, and harmless to remove', async () => {
		await expect(storage.read('files/none')).rejects.toMatchObject({ code: 'ENOENT' });
		await expect(storage.read('files/none', { start: 1, end: 2 })).rejects.toMatchObject({ code: 'ENOENT' });
		await expect(storage.copy('files/none', 'files/other')).rejects.toMatchObject({ code: 'ENOENT' });
		await expect(storage.adopt('files/none', join(folder, 'none'))).rejects.toMatchObject({ code: 'ENOENT' });
		expect(await storage.findSize('files/none')).toBeNull();
		await storage.remove('files/none');
		await storage.removeMany(['files/none', 'files/neither']);
		await storage.removeMany([]);
	});

	test('a copy is of its own', async () => {
		const bytes = randomBytes(50_000);
		await storage.put('copied/from@example.com.bin', bytes);
		await storage.copy('copied/from@example.com.bin', 'copied/to.bin');
		await storage.remove('copied/from@example.com.bin');
		expect(await readAll(storage, 'copied/to.bin')).toEqual(bytes);
		expect(await storage.findSize('copied/from@example.com.bin')).toBeNull();
	});

	test.each([
		['small', 1000],
		['of several parts', 33 * mebibyte + 1],
		['empty', 0],
	])('a local file is moved in, and found there when that is done again (%s)', async (what, sizeBytes) => {
		const bytes = randomBytes(sizeBytes);
		const file = await local(`adopted ${what}`, bytes);
		const stored = { sizeBytes, sha256: sha256Of(bytes) };
		expect(await storage.adopt(`adopted/${what}`, file)).toEqual(stored);
		expect(existsSync(file)).toBe(false);
		expect(await storage.adopt(`adopted/${what}`, file)).toEqual(stored);
		expect((await readAll(storage, `adopted/${what}`)).equals(bytes)).toBe(true);
	});

	test('half bytes are never seen under a key', async () => {
		const bytes = randomBytes(24 * mebibyte);
		let isOver = false;
		const work = storage.put('half/put', bytes).finally(() => {
			isOver = true;
		});
		const seen = new Set<number | null>();
		while (!isOver) {
			seen.add(await storage.findSize('half/put'));
			await new Promise((resolve) => setImmediate(resolve));
		}
		await work;
		seen.add(await storage.findSize('half/put'));
		expect([...seen].filter((size) => size !== null)).toEqual([bytes.length]);
	});

	test('more keys than a page holds are listed once each, and removed together', async () => {
		const before = await keysOf(storage);
		const keys = Array.from({ length: 1050 }, (_, at) => `many/${String(at).padStart(4, '0')}`);
		const left = [...keys];
		const put = async () => {
			for (let key = left.pop(); key !== undefined; key = left.pop()) await storage.put(key, Buffer.from(key));
		};
		await Promise.all(Array.from({ length: 16 }, put));
		const startedAt = Date.now();
		expect(await keysOf(storage)).toEqual([...before, ...keys].sort());
		for await (const { modifiedAt } of storage.list()) expect(modifiedAt.getTime()).toBeLessThan(startedAt + 60_000);
		await storage.removeMany(keys);
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

	test('is ready, and says how much space there is', async () => {
		await storage.check();
		const { freeBytes, totalBytes } = await storage.getDiskSpace();
		expect(freeBytes).toBeGreaterThan(0);
		expect(totalBytes).toBeGreaterThanOrEqual(freeBytes);
	});
});

describe('pieces', () => {
	const parts = [randomBytes(5 * mebibyte), randomBytes(6 * mebibyte), randomBytes(1000)] as const;
	const whole = Buffer.concat(parts);
	const stored = { sizeBytes: whole.length, sha256: sha256Of(whole) };
	let storage: S3Storage;
	beforeAll(async () => {
		storage = await openS3();
	});
	afterAll(() => storage.close());
	const putAll = async (key: string, handle: string, numbers = [1, 2, 3]) =>
		Promise.all(
			numbers.map(async (number, at) => {
				return { number, etag: await storage.multipart.putPart(key, handle, number, parts[at] ?? Buffer.alloc(0)) };
			}),
		);

	test('are seen when they are put together, not before; done again it is the same', async () => {
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
		await storage.copy('whole', 'copied');
		expect((await readAll(storage, 'copied')).equals(whole)).toBe(true);
		await storage.removeMany(['whole', 'copied']);
		expect(await keysOf(storage)).toEqual([]);
	});

	test('may be replaced, left out and numbered with gaps', async () => {
		const { multipart } = storage;
		const handle = await multipart.start('gaps');
		await multipart.putPart('gaps', handle, 7, randomBytes(5 * mebibyte));
		await multipart.putPart('gaps', handle, 4000, randomBytes(5 * mebibyte));
		const sent = await putAll('gaps', handle, [7, 300, 10_000]);
		expect(await multipart.complete('gaps', handle, sent)).toEqual(stored);
		expect((await readAll(storage, 'gaps')).equals(whole)).toBe(true);
		await storage.remove('gaps');
	});

	test('are dropped, also twice; what is not ended is found', async () => {
		const { multipart } = storage;
		const handle = await multipart.start('dropped@example.com/x');
		await putAll('dropped@example.com/x', handle);
		const listBegun = async () => {
			const begun = [];
			for await (const each of multipart.listPending()) begun.push(each);
			return begun;
		};
		expect(await listBegun()).toEqual([{ key: 'dropped@example.com/x', handle, startedAt: expect.any(Date) }]);
		await multipart.abort('dropped@example.com/x', handle);
		await multipart.abort('dropped@example.com/x', handle);
		expect(await listBegun()).toEqual([]);
		expect(await storage.findSize('dropped@example.com/x')).toBeNull();
		await expect(multipart.complete('dropped@example.com/x', handle, [])).rejects.toThrow();
	});

	test('on a disk gather in a file instead', () => {
		expect(createDiskStorage(folder).multipart).toBeNull();
	});
});

describe.each(['disk', 's3'] as const)('what belongs to an installation, on %s', (kind) => {
	const open = async () => (kind === 'disk' ? createDiskStorage(await mkdtemp(join(folder, 'claimed-'))) : openS3());

	test('is marked as its own, and taken by no other', async () => {
		const storage = await open();
		expect(await claimStorage(storage, 'ours')).toBe('ours');
		expect(await claimStorage(storage, 'ours')).toBe('ours');
		expect(await keysOf(storage)).toEqual([]);
		await storage.put('files/a', Buffer.from('a'));
		expect(await claimStorage(storage, 'ours')).toBe('ours');
		expect(await claimStorage(storage, 'theirs', async () => true)).toBe('another installation');
		// Whatever the maintenance removes, it never removes the mark.
		expect(await keysOf(storage)).toEqual(['files/a']);
		await storage.close();
	});

	test('is marked once by processes that start at the same moment', async () => {
		const storage = await open();
		const claims = await Promise.all(Array.from({ length: 12 }, () => claimStorage(storage, 'ours')));
		expect(claims).toEqual(claims.map(() => 'ours'));
		await storage.close();
	});

	test('and holds anything else is left alone, unless it is known', async () => {
		const storage = await open();
		await storage.put('holiday.jpg', Buffer.from('a'));
		expect(await claimStorage(storage, 'ours')).toBe('something else');
		expect(await keysOf(storage)).toEqual(['holiday.jpg']);
		expect(await claimStorage(storage, 'ours', async () => true)).toBe('ours');
		expect(await claimStorage(storage, 'theirs')).toBe('another installation');
		await storage.close();
	});
});

describe('a bucket', () => {
	test('does not expose backups stored in it', async () => {
		const storage = await openS3();
		await storage.put('backups/then/a', Buffer.from('a'));
		expect(await keysOf(storage)).toEqual([]);
		await storage.close();
	});

	test.each([
		['does not exist', { bucket: 'there-is-none' }, /^Bad settings: S3_BUCKET there-is-none does not exist\.$/u],
		[
			'is not ours to sign in to',
			{ secretAccessKey: 'wrong' },
			/^Bad settings: S3_BUCKET \S+ cannot be used: [^\n]+$/u,
		],
		[
			'is at an address where nothing is',
			{ endpoint: 'http://127.0.0.1:1' },
			/^Bad settings: S3_ENDPOINT http:\/\/127\.0\.0\.1:1 does not answer: .*ECONNREFUSED/u,
		],
	])('that %s is told of in a line', async (_what, wrong, sentence) => {
		const s3 = { ...(await createBucket(store.settings)), ...wrong };
		const opener = { findInstallationId: async () => 'ours', hasFiles: async () => false, log };
		await expect(openStorage({ DATA_DIR: folder, s3 }, opener)).rejects.toThrow(sentence);
	});

	test('that another installation marked stops the start', async () => {
		const s3 = await createBucket(store.settings);
		const opener = (id: string) => ({ findInstallationId: async () => id, hasFiles: async () => false, log });
		await (await openStorage({ DATA_DIR: folder, s3 }, opener('theirs'))).close();
		await expect(openStorage({ DATA_DIR: folder, s3 }, opener('ours'))).rejects.toThrow(
			/^Bad settings: S3_BUCKET \S+ belongs to another Folio/u,
		);
	});
});
