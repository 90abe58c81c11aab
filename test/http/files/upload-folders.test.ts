import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { uploadFolder } from '#server/features/files/uploads/storage/local-upload-storage.ts';
import { checkIntegrity } from '#server/features/maintenance/tasks/tasks.service.ts';
import { readNames } from '../../support/app/lists.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { makeSignedInUser, makeUser } from '../../support/app/users.ts';
import { makeFile, makeFolder } from '../../support/fixtures/files.ts';
import { beginUpload, isStoringPartsOnDisk, receiveBytes, tus } from '../../support/fixtures/uploads.ts';

const { testApp, deps, admin } = await openTestApp();
const { client: other } = await makeSignedInUser(testApp, 'other@example.com', 'admin', '203.0.113.9');
const owner = 'reader@example.com';
const ownerId = await makeUser(deps, owner);
afterAll(async () => {
	await deps.db.deleteFrom('uploads').execute();
	expect((await checkIntegrity(deps)).problems).toEqual([]);
});

const folders = (paths: string[][], path = '', client = admin) =>
	client.call('POST', `/api/spaces/${owner}/folder-paths`, { path, paths });
const names = (path = '') => readNames(admin, `/api/spaces/${owner}/nodes?path=${encodeURIComponent(path)}&limit=1000`);
const create = (metadata: Record<string, string>, size: number, bytes?: Buffer) =>
	beginUpload(admin, { owner, ...metadata }, size, bytes);
const newId = () => randomBytes(16).toString('base64url');
const getUploadOffset = (id: string, client = admin) => client.call('HEAD', `/api/uploads/${id}`, undefined, tus);
const listUploads = async (query = '', client = admin) => (await client.call('GET', `/api/uploads${query}`)).json();

describe('POST /api/spaces/:owner/folder-paths', () => {
	test('creates missing folders, and finds existing folders in any case and Unicode form', async () => {
		const first = await folders([['Year', 'May'], ['Year', 'June', 'Week 1'], ['Café'.normalize('NFC')]]);
		expect(first.statusCode, first.body).toBe(200);
		expect(first.json()).toMatchObject({ items: [{ code: null }, { code: null }, { code: null }] });
		expect(await names()).toEqual(['Café', 'Year']);
		const again = await folders([['YEAR', 'may'], ['year'], ['Café'.normalize('NFD')]]);
		expect(again.json().items).toEqual([first.json().items[0], expect.anything(), first.json().items[2]]);
		const year = again.json().items[1].path;
		expect(await names(year)).toEqual(['June', 'May']);
		await folders([['Week 2']], `${year}`);
		const { items } = (await admin.call('GET', `/api/spaces/${owner}/nodes`)).json();
		expect(items.find(({ name }: { name: string }) => name === 'Year').itemCount).toBe(3);
	});

	test('creates each folder once when two admins send the same folder tree at the same time', async () => {
		const tree = Array.from({ length: 5 }, (_, index) => ['Twin', `Part ${index}`]);
		const [one, two] = await Promise.all([folders(tree), folders(tree, '', other)]);
		expect(one.json().items).toEqual(two.json().items);
		expect(await names(one.json().items[0].path.split('/')[0])).toHaveLength(tree.length);
	});

	test('creates all valid paths, and returns an error for each of the other paths', async () => {
		await makeFile(deps, { ownerId, name: 'taken', bytes: Buffer.from('x') });
		const answer = (await folders([['Good'], ['..'], ['Taken', 'below'], ['x'.repeat(256)], [' ']])).json();
		expect(answer.items.map(({ code, message }: { code: string; message: string }) => [code, message])).toEqual([
			[null, null],
			['NAME_INVALID', 'A name may not contain / or control characters, nor be only dots.'],
			['NAME_EXISTS', 'Name exists'],
			['NAME_TOO_LONG', 'This name is too long: 255 bytes at most.'],
			['FOLDER_NAME_REQUIRED', 'Folder name required'],
		]);
		expect(await names()).toContain('Good');
		expect((await folders([['a']], '42')).json().code).toBe('FOLDER_GONE');
		expect((await folders([])).statusCode).toBe(422);
		expect((await folders([Array.from({ length: 65 }, () => 'deep')])).statusCode).toBe(422);
	});
});

describe('an upload of a small file', () => {
	test('creates the file in one request, and returns 409 for a name that exists', async () => {
		const bytes = Buffer.from('all of it');
		const answer = await create({ filename: 'one request.txt' }, bytes.length, bytes);
		expect([answer.statusCode, answer.headers['upload-offset']]).toEqual([201, String(bytes.length)]);
		expect(await names()).toContain('one request.txt');
		const taken = await create({ filename: 'One Request.txt' }, bytes.length, bytes);
		expect([taken.statusCode, JSON.parse(taken.body).message]).toEqual([409, 'File One Request.txt already exists']);
	});

	test('is found by the ID that the browser has chosen, but only by the same user', async () => {
		const id = newId();
		expect((await getUploadOffset(id)).statusCode).toBe(404);
		const first = await create({ filename: 'lost answer.txt', id }, 4, Buffer.from('four'));
		expect(first.headers.location).toBe(`/api/uploads/${id}`);
		expect((await getUploadOffset(id)).headers).toMatchObject({ 'upload-offset': '4', 'upload-length': '4' });
		const twice = await create({ filename: 'other.txt', id }, 4);
		expect([twice.statusCode, JSON.parse(twice.body).code]).toEqual([409, 'UPLOAD_OFFSET']);
		expect((await getUploadOffset(id, other)).statusCode).toBe(404);
	});

	// With an object store, a new upload is only a row in the database.
	if (isStoringPartsOnDisk) {
		test.each([0, 4])('of %i bytes starts again when its row exists but its files do not', async (size) => {
			const id = newId();
			await create({ filename: `cut off ${size}.txt`, id }, 4);
			await deps.db.updateTable('uploads').set({ size_bytes: size }).where('id', '=', id).execute();
			for (const name of [id, `${id}.json`]) await rm(join(uploadFolder(deps), name));
			expect((await getUploadOffset(id)).statusCode).toBe(404);
			const again = await create({ filename: `cut off ${size}.txt`, id }, size, Buffer.alloc(size, 'x'));
			expect([again.statusCode, again.body]).toEqual([201, '']);
			expect(await names()).toContain(`cut off ${size}.txt`);
		});

		test('starts again when its description file is incomplete', async () => {
			const id = newId();
			await create({ filename: 'half described.txt', id }, 4);
			await writeFile(join(uploadFolder(deps), `${id}.json`), '{"id":"');
			expect((await getUploadOffset(id)).statusCode).toBe(404);
			expect((await create({ filename: 'half described.txt', id }, 4, Buffer.alloc(4, 'x'))).statusCode).toBe(201);
			expect(await names()).toContain('half described.txt');
		});
	}

	test.each(['../../etc/passwd', 'short', `${'x'.repeat(21)}/`])(
		'gets a new ID when the browser sends the invalid ID %s',
		async (id) => {
			const answer = await create({ filename: `${randomBytes(4).toString('hex')}.txt`, id }, 4);
			expect(answer.headers.location).toMatch(/^\/api\/uploads\/[\w-]{22}$/u);
			await admin.call('DELETE', String(answer.headers.location), undefined, tus);
		},
	);
});

describe('GET /api/uploads', () => {
	test('lists an unfinished upload with its received bytes until its folder is deleted, and only to its user', async () => {
		const folder = await makeFolder(deps, owner, 'Films');
		const id = newId();
		await create({ filename: 'half.bin', path: folder.path, id, modified: '1700000000123' }, 10);
		await receiveBytes(deps, id, Buffer.from('seven77'));
		const { items, nextCursor } = await listUploads();
		expect(nextCursor).toBeNull();
		expect(items).toEqual([
			{
				id,
				owner,
				path: folder.path,
				folders: ['Films'],
				name: 'half.bin',
				sizeBytes: 10,
				arrivedBytes: 7,
				modifiedMs: 1_700_000_000_123,
				createdAt: expect.any(String),
				isReceiving: false,
				conflict: 'skip',
			},
		]);
		expect((await listUploads('', other)).items).toEqual([]);
		expect((await other.call('DELETE', `/api/uploads/${id}`, undefined, tus)).statusCode).toBe(404);
		await admin.call('DELETE', `/api/nodes/${folder.id}`);
		expect((await listUploads()).items).toEqual([]);
		await admin.call('DELETE', `/api/uploads/${id}`, undefined, tus);
	});

	test('returns the unfinished uploads in pages', async () => {
		for (const number of [1, 2, 3]) await create({ filename: `page ${number}.bin` }, 10);
		const first = await listUploads('?limit=2');
		const second = await listUploads(`?limit=2&cursor=${first.nextCursor}`);
		const found = [...first.items, ...second.items].map(({ name }: { name: string }) => name);
		expect(found.sort()).toEqual(['page 1.bin', 'page 2.bin', 'page 3.bin']);
		expect(second.nextCursor).toBeNull();
		expect((await admin.call('GET', '/api/uploads?limit=1001')).statusCode).toBe(422);
	});
});
