import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { type HttpRequest, Upload } from 'tus-js-client';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { systemCaller } from '#server/features/audit/audit.service.ts';
import {
	assembleUpload,
	finishUpload,
	resumeOrDiscardUploads,
} from '#server/features/files/uploads/uploads.service.ts';
import { checkIntegrity } from '#server/features/maintenance/tasks/tasks.service.ts';
import { listen } from '../../support/app/event-streams.ts';
import { createHttpClient, type HttpClient } from '../../support/app/http-client.ts';
import { createTestApp, type TestApp } from '../../support/app/test-app.ts';
import { makeSignedInUser, makeUser, testPassword } from '../../support/app/users.ts';
import { makeFile, makeFolder, tinyPdf } from '../../support/fixtures/files.ts';
import { receiveBytes, waitForFirstBytes } from '../../support/fixtures/uploads.ts';

let world: TestApp;
let url: string;
let admin: HttpClient;
let ownerId: string;
const owner = 'reader@example.com';

beforeAll(async () => {
	world = await createTestApp();
	admin = (await makeSignedInUser(world, 'admin@example.com', 'admin')).client;
	ownerId = await makeUser(world.deps, owner);
	url = await listen(world.app);
});
afterAll(() => world.close());

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const tus = { 'tus-resumable': '1.0.0' };
const encode = (values: Record<string, string>) =>
	Object.entries(values)
		.map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
		.join(',');

/** Uploads with tus-js-client, as the browser does. @throws what tus-js-client reports */
function upload(bytes: Buffer, metadata: Record<string, string>, chunkSize = 256 * 1024): Promise<string[]> {
	const requests: string[] = [];
	return new Promise((resolve, reject) => {
		new Upload(bytes, {
			endpoint: `${url}/api/uploads`,
			chunkSize,
			retryDelays: null,
			headers: { cookie: admin.cookie() },
			metadata: { owner, path: '', ...metadata },
			onAfterResponse: (sent: HttpRequest) => {
				requests.push(sent.getMethod());
			},
			onError: reject,
			onSuccess: () => resolve(requests),
		}).start();
	});
}

/** Begins an upload without tus-js-client. @returns the answer */
async function begin(filename: string, size: number, more: Record<string, string> = {}, client = admin) {
	const headers = {
		...tus,
		'upload-length': String(size),
		'upload-metadata': encode({ owner, path: '', filename, ...more }),
	};
	return client.call('POST', '/api/uploads', undefined, headers);
}
const patch = (location: string, offset: number, bytes: Buffer, client = admin) =>
	client.call('PATCH', location, bytes, {
		...tus,
		'upload-offset': String(offset),
		'content-type': 'application/offset+octet-stream',
	});
const findFile = (name: string) =>
	world.deps.db
		.selectFrom('nodes')
		.innerJoin('blobs', 'blobs.id', 'nodes.blob_id')
		.select([
			'nodes.id',
			'nodes.owner_id',
			'nodes.path',
			'blobs.sha256',
			'blobs.size_bytes',
			'blobs.content_type',
			'blobs.storage_key',
		])
		.where('nodes.name', '=', name)
		.where('nodes.deleted_at', 'is', null)
		.execute();
const listUploads = () => world.deps.db.selectFrom('uploads').selectAll().where('finished_at', 'is', null).execute();

/** Deletes unfinished uploads, so that no test sees those of another. */
afterEach(async () => {
	await world.deps.db.deleteFrom('uploads').where('finished_at', 'is', null).execute();
});

describe('an upload', () => {
	test('in chunks arrives byte for byte, with the detected type and a safe storage key', async () => {
		const bytes = Buffer.concat([tinyPdf, Buffer.alloc(1_000_003, 'folio')]);
		const requests = await upload(bytes, { filename: 'पुस्तक ../1.pdf'.replace('/', '∕'), filetype: 'text/html' });
		expect(requests).toEqual(['POST', 'PATCH', 'PATCH', 'PATCH', 'PATCH']);
		const [file] = await findFile('पुस्तक ..∕1.pdf');
		expect(file).toMatchObject({
			owner_id: ownerId,
			sha256: sha256(bytes),
			size_bytes: bytes.length,
			content_type: 'application/pdf',
		});
		expect(file?.storage_key).toMatch(/^files\/reader@example\.com\/[\w-]+-[\w.@-]+$/u);
		const read = await admin.call('GET', `/api/files/${file?.id}/content`);
		expect(sha256(read.rawPayload)).toBe(sha256(bytes));
		expect(await listUploads()).toEqual([]);
		expect((await checkIntegrity(world.deps)).problems).toEqual([]);
	});

	test('of 0 bytes creates an empty file', async () => {
		await upload(Buffer.alloc(0), { filename: 'empty.txt' });
		const [file] = await findFile('empty.txt');
		expect(file).toMatchObject({ size_bytes: 0, content_type: 'application/octet-stream' });
		expect((await admin.call('GET', `/api/files/${file?.id}/content`)).rawPayload).toHaveLength(0);
	});

	test('creates its file in the folder that its metadata names', async () => {
		const folder = await makeFolder(world.deps, owner, 'Deep');
		await upload(Buffer.from('x'), { filename: 'deep.txt', path: folder.path });
		expect(await findFile('deep.txt')).toMatchObject([{ path: folder.path }]);
	});

	test('continues at its offset, and returns 409 for another offset', async () => {
		const { headers } = await begin('resumed.txt', 10);
		const location = String(headers.location);
		expect((await patch(location, 0, Buffer.from('01234'))).headers['upload-offset']).toBe('5');
		expect((await patch(location, 0, Buffer.from('01234'))).statusCode).toBe(409);
		expect((await patch(location, 7, Buffer.from('789'))).statusCode).toBe(409);
		const head = await admin.call('HEAD', location, undefined, tus);
		expect(head.headers).toMatchObject({ 'upload-offset': '5', 'upload-length': '10', 'cache-control': 'no-store' });
		expect(await findFile('resumed.txt')).toEqual([]);
		expect((await patch(location, 5, Buffer.from('56789'))).statusCode).toBe(204);
		expect(await findFile('resumed.txt')).toMatchObject([{ sha256: sha256(Buffer.from('0123456789')) }]);
		const done = await admin.call('HEAD', location, undefined, tus);
		expect([done.statusCode, done.headers['upload-offset']]).toEqual([200, '10']);
	});

	test('keeps the bytes that arrived before the connection broke', async () => {
		const { headers } = await begin('broken.bin', 100_000);
		const location = String(headers.location);
		const sent = request(`${url}${location}`, {
			method: 'PATCH',
			headers: {
				...tus,
				cookie: admin.cookie(),
				'upload-offset': '0',
				'content-type': 'application/offset+octet-stream',
				'content-length': '100000',
			},
		});
		sent.on('error', () => {});
		sent.write(Buffer.alloc(60_000, 'a'));
		await expect.poll(async () => world.deps.live.count()).toBe(1);
		await waitForFirstBytes(world.deps, location.split('/').at(-1) ?? '');
		sent.destroy();
		await expect.poll(() => world.deps.live.count()).toBe(0);
		const offset = async () => Number((await admin.call('HEAD', location, undefined, tus)).headers['upload-offset']);
		await expect.poll(offset).toBeGreaterThan(0);
		const from = await offset();
		const rest = Buffer.alloc(100_000 - from, 'a');
		await expect.poll(async () => (await patch(location, from, rest)).statusCode).toBe(204);
		expect(await findFile('broken.bin')).toMatchObject([{ sha256: sha256(Buffer.alloc(100_000, 'a')) }]);
	});

	test('is neither listed nor found after it was cancelled', async () => {
		const { headers } = await begin('canceled.txt', 10);
		await patch(String(headers.location), 0, Buffer.from('01234'));
		expect((await admin.call('DELETE', String(headers.location), undefined, tus)).statusCode).toBe(204);
		// The upload must be gone before the answer, because the next list must not contain it.
		expect(await listUploads()).toEqual([]);
		expect((await admin.call('HEAD', String(headers.location), undefined, tus)).statusCode).toBe(404);
	});
});

describe('an upload with a taken name', () => {
	test('is refused with the specified message before its first byte', async () => {
		await makeFile(world.deps, { ownerId, name: 'Taken.txt', bytes: Buffer.from('first') });
		const answer = await begin('tAKEN.txt', 5);
		expect(answer.statusCode).toBe(409);
		expect(JSON.parse(answer.body)).toMatchObject({ code: 'FILE_EXISTS', message: 'File tAKEN.txt already exists' });
		await expect(upload(Buffer.from('other'), { filename: 'Taken.txt' })).rejects.toMatchObject({
			originalResponse: expect.objectContaining({ getBody: expect.any(Function) }),
		});
		expect(await findFile('Taken.txt')).toMatchObject([{ sha256: sha256(Buffer.from('first')) }]);
		expect(await listUploads()).toEqual([]);
	});

	test('is refused at its end when another upload took the name meanwhile, and leaves no bytes', async () => {
		const places = await Promise.all([begin('race.txt', 5), begin('RACE.txt', 5)]);
		const answers = await Promise.all(
			places.map(({ headers }, i) => patch(String(headers.location), 0, Buffer.from(`bytes${i}`.slice(-5)))),
		);
		expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([204, 409]);
		const loser = answers.find(({ statusCode }) => statusCode === 409);
		expect(JSON.parse(loser?.body ?? '{}').message).toMatch(/^File race\.txt already exists$/iu);
		expect([...(await findFile('race.txt')), ...(await findFile('RACE.txt'))]).toHaveLength(1);
		expect(await listUploads()).toEqual([]);
		world.clock.advance(7200);
		expect((await checkIntegrity(world.deps)).problems).toEqual([]);
		admin = createHttpClient(world.app);
		await admin.signIn('admin@example.com', testPassword);
	});
});

describe('an upload with a conflict policy', () => {
	const old = Buffer.from('the old one');
	const fresh = Buffer.from('the new one');
	const trashed = async () =>
		(await admin.call('GET', `/api/spaces/${owner}/trash`)).json().items.map((item: { name: string }) => item.name);
	const nodesNamed = (name: string) =>
		world.deps.db.selectFrom('nodes').select(['id', 'deleted_at']).where('name', '=', name).orderBy('id').execute();

	test('is stored under the next free name when the policy is rename', async () => {
		await makeFile(world.deps, { ownerId, name: 'both.txt', bytes: old });
		await upload(fresh, { filename: 'BOTH.txt', conflict: 'rename' });
		await upload(fresh, { filename: 'both.txt', conflict: 'rename' });
		expect(await findFile('both.txt')).toMatchObject([{ sha256: sha256(old) }]);
		expect(await findFile('BOTH (2).txt')).toMatchObject([{ sha256: sha256(fresh) }]);
		expect(await findFile('both (3).txt')).toMatchObject([{ sha256: sha256(fresh) }]);
	});

	test('replaces the file when it is complete, and the old one goes to the trash without passing on its shares', async () => {
		const oldId = await makeFile(world.deps, { ownerId, name: 'replaced.txt', bytes: old });
		const friend = { email: 'friend@example.com' };
		await makeUser(world.deps, friend.email);
		expect((await admin.call('POST', '/api/shares', { nodeId: oldId, email: friend.email })).statusCode).toBe(200);
		const { headers } = await begin('replaced.txt', fresh.length, { conflict: 'replace' });
		await patch(String(headers.location), 0, fresh.subarray(0, 4));
		expect(await findFile('replaced.txt'), 'as long as it is on its way').toMatchObject([{ id: oldId }]);
		expect((await admin.call('GET', '/api/uploads')).json().items).toMatchObject([{ conflict: 'replace' }]);
		await patch(String(headers.location), 4, fresh.subarray(4));
		const [now] = await findFile('replaced.txt');
		expect(now).toMatchObject({ sha256: sha256(fresh) });
		expect(now?.id).not.toBe(oldId);
		expect(await trashed()).toContain('replaced.txt');
		expect(await world.deps.db.selectFrom('shares').selectAll().execute()).toEqual([]);
		await admin.call('POST', `/api/trash/${oldId}/restore`);
		expect(await findFile('replaced (2).txt')).toMatchObject([{ id: oldId, sha256: sha256(old) }]);
		expect((await checkIntegrity(world.deps)).problems).toEqual([]);
	});

	test('replaces the PDF of an edition, which cannot be read when the new file is no PDF', async () => {
		const pdf = { ownerId: 'book', name: 'part one.pdf', bytes: tinyPdf, contentType: 'application/pdf' };
		const oldId = await makeFile(world.deps, pdf);
		const book = (await admin.call('GET', '/api/settings/book')).json();
		const { title, originalPrice, discountedPrice, bank, version } = book;
		const editions = [{ key: 'part-1-en', fileId: oldId }];
		const prices = { title, originalPrice, discountedPrice, bank };
		await admin.call('PUT', '/api/settings/book', { ...prices, editions, version });
		const corrected = Buffer.concat([tinyPdf, Buffer.from('% corrected\n')]);
		await upload(corrected, { owner: 'book', filename: 'part one.pdf', conflict: 'replace' });
		const read = () => admin.call('GET', '/api/editions/part-1-en/content');
		expect((await read()).rawPayload).toEqual(corrected);
		await upload(fresh, { owner: 'book', filename: 'part one.pdf', conflict: 'replace' });
		expect((await read()).statusCode).toBe(404);
	});

	test('does not replace a folder, and returns 409 for an unknown policy', async () => {
		await makeFolder(world.deps, owner, 'Folder.txt');
		expect((await begin('folder.txt', 5, { conflict: 'replace' })).json()).toMatchObject({
			code: 'FILE_EXISTS',
			message: 'File folder.txt already exists',
		});
		expect((await begin('folder.txt', 5, { conflict: 'overwrite' })).statusCode).toBe(409);
		expect(await listUploads()).toEqual([]);
	});

	test('needs quota for both files to replace one, and returns QUOTA_NEEDS_BOTH otherwise', async () => {
		const { id, email } = await withQuota('full@example.com', 25);
		await makeFile(world.deps, { ownerId: id, name: 'big.txt', bytes: Buffer.alloc(20) });
		const refused = await begin('big.txt', 10, { owner: email, conflict: 'replace' });
		expect(refused.statusCode).toBe(402);
		expect(refused.json()).toMatchObject({
			code: 'QUOTA_NEEDS_BOTH',
			message:
				'There is not enough space left to replace it: 0.00 KB of 0.02 KB are free, and the old file counts until the trash is emptied.',
		});
		expect((await begin('other.txt', 10, { owner: email, conflict: 'replace' })).json().code).toBe('QUOTA_EXCEEDED');
		// Another file has used the space meanwhile: the quota is checked again at the end, and the old file stays.
		const { headers } = await begin('big.txt', 5, { owner: email, conflict: 'replace' });
		await makeFile(world.deps, { ownerId: id, name: 'between.bin', bytes: Buffer.alloc(3) });
		expect((await patch(String(headers.location), 0, Buffer.alloc(5))).json().code).toBe('QUOTA_NEEDS_BOTH');
		expect(await findFile('big.txt')).toMatchObject([{ size_bytes: 20 }]);
	});

	test('replaces a file one after the other when three finish at once, and all but one are in the trash', async () => {
		await makeFile(world.deps, { ownerId, name: 'raced.txt', bytes: old });
		const places = await Promise.all([1, 2, 3].map(() => begin('raced.txt', 6, { conflict: 'replace' })));
		const answers = await Promise.all(
			places.map(({ headers }, i) => patch(String(headers.location), 0, Buffer.from(`bytes${i}`))),
		);
		expect(answers.map(({ statusCode }) => statusCode)).toEqual([204, 204, 204]);
		expect((await nodesNamed('raced.txt')).filter((node) => node.deleted_at === null)).toHaveLength(1);
		expect(await nodesNamed('raced.txt')).toHaveLength(4);
		expect((await checkIntegrity(world.deps)).problems).toEqual([]);
	});

	test.each(['before the bytes move', 'between bytes and row'])(
		'replaces the file once at the next start after a kill %s',
		async (when) => {
			const name = `killed ${when}.txt`;
			await makeFile(world.deps, { ownerId, name, bytes: old });
			const { headers } = await begin(name, fresh.length, { conflict: 'replace' });
			const id = String(headers.location).split('/').at(-1) ?? '';
			await receiveBytes(world.deps, id, fresh);
			if (when !== 'before the bytes move') await assembleUpload(world.deps, id);
			expect(await findFile(name)).toMatchObject([{ sha256: sha256(old) }]);
			await resumeOrDiscardUploads(world.deps);
			await resumeOrDiscardUploads(world.deps);
			expect(await findFile(name)).toMatchObject([{ sha256: sha256(fresh) }]);
			expect(await nodesNamed(name)).toHaveLength(2);
			expect((await checkIntegrity(world.deps)).problems).toEqual([]);
		},
	);

	async function withQuota(email: string, quotaBytes: number) {
		const id = await makeUser(world.deps, email);
		await admin.call('PUT', `/api/spaces/${email}/quota`, { quotaBytes });
		return { id, email };
	}
});

describe('an invalid upload request', () => {
	test.each([
		['no name', '', {}, 422, 'A name may not contain / or control characters, nor be only dots.'],
		['a way up', '../x', {}, 422, 'A name may not contain / or control characters, nor be only dots.'],
		['NUL in the name', 'a\0b', {}, 422, 'A name may not contain / or control characters, nor be only dots.'],
		[
			'nothing to be seen',
			'\u200B\u2060\u3164',
			{},
			422,
			'A name may not contain / or control characters, nor be only dots.',
		],
		['256 bytes', 'x'.repeat(256), {}, 422, 'This name is too long: 255 bytes at most.'],
		['an unknown owner', 'a.txt', { owner: 'nobody@example.com' }, 404, 'Not found.'],
		['an unknown folder', 'a.txt', { path: '42' }, 404, 'This folder is no longer there.'],
	])('with %s is refused with a message', async (_what, filename, more, status, message) => {
		const answer = await begin(filename, 5, more);
		expect([answer.statusCode, JSON.parse(answer.body).message]).toEqual([status, message]);
		expect(await listUploads()).toEqual([]);
	});

	test('for more than 50 GB or an unknown size is refused and stores nothing', async () => {
		expect((await begin('huge.bin', 51 * 1024 ** 3)).statusCode).toBe(413);
		const headers = { ...tus, 'upload-defer-length': '1', 'upload-metadata': encode({ owner, filename: 'deferred' }) };
		expect((await admin.call('POST', '/api/uploads', undefined, headers)).statusCode).toBeGreaterThanOrEqual(400);
		expect(await listUploads()).toEqual([]);
	});

	test('with another version of the protocol is refused', async () => {
		const { headers } = await begin('versioned.txt', 5);
		const old = await admin.call('PATCH', String(headers.location), Buffer.from('01234'), {
			'tus-resumable': '0.2.2',
			'upload-offset': '0',
			'content-type': 'application/offset+octet-stream',
		});
		expect(old.statusCode).toBeOneOf([400, 412]);
		await admin.call('DELETE', String(headers.location), undefined, tus);
	});

	test('from another origin gets the security headers and no CORS permission', async () => {
		const answer = await admin.call('OPTIONS', '/api/uploads', undefined, { ...tus, origin: 'http://evil.example' });
		expect(answer.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
		expect(answer.headers['access-control-allow-origin'] ?? 'none').not.toMatch(/\*|evil/u);
	});
});

describe('a process that dies during an upload', () => {
	const bytes = Buffer.from('all of it has arrived');
	/** Stores all bytes without the finish, as after kill -9 at that moment. */
	async function arrived(filename: string): Promise<string> {
		const { headers } = await begin(filename, bytes.length);
		const id = String(headers.location).split('/').at(-1) ?? '';
		await receiveBytes(world.deps, id, bytes);
		return id;
	}

	test('before the finish lets the next HEAD create the file', async () => {
		const id = await arrived('before.txt');
		expect((await admin.call('HEAD', `/api/uploads/${id}`, undefined, tus)).headers['upload-offset']).toBe(
			String(bytes.length),
		);
		expect(await findFile('before.txt')).toMatchObject([{ sha256: sha256(bytes) }]);
	});

	test('between bytes and row lets the next start create the file once', async () => {
		const id = await arrived('between.txt');
		await assembleUpload(world.deps, id);
		expect(await findFile('between.txt')).toEqual([]);
		await resumeOrDiscardUploads(world.deps);
		await resumeOrDiscardUploads(world.deps);
		await Promise.all([finishUpload(world.deps, systemCaller, id), finishUpload(world.deps, systemCaller, id)]);
		expect(await findFile('between.txt')).toMatchObject([{ sha256: sha256(bytes) }]);
		expect((await checkIntegrity(world.deps)).problems).toEqual([]);
	});

	test('before all bytes arrived leaves no visible file, and the upload continues', async () => {
		const { headers } = await begin('middle.txt', 10);
		await patch(String(headers.location), 0, Buffer.from('01234'));
		await resumeOrDiscardUploads(world.deps);
		expect(await findFile('middle.txt')).toEqual([]);
		expect((await patch(String(headers.location), 5, Buffer.from('56789'))).statusCode).toBe(204);
		expect(await findFile('middle.txt')).toHaveLength(1);
	});

	test('leaves an unfinished upload, which is removed after a week', async () => {
		await begin('abandoned.txt', 10);
		world.clock.advance(8 * 24 * 3600);
		await resumeOrDiscardUploads(world.deps);
		expect(await listUploads()).toEqual([]);
	});
});
