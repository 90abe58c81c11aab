import { open, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type HttpRequest, Upload } from 'tus-js-client';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { systemCaller } from '#server/features/audit/audit.service.ts';
import { uploadFolder } from '#server/features/files/uploads/storage/local-upload-storage.ts';
import { uploadStorageOf } from '#server/features/files/uploads/storage/multipart-upload-storage.ts';
import { finishUpload, resumeOrDiscardUploads } from '#server/features/files/uploads/uploads.service.ts';
import { checkIntegrity } from '#server/features/maintenance/tasks/tasks.service.ts';
import { AppError } from '#server/platform/app-error.ts';
import { newId } from '#server/platform/ids.ts';
import { findRows, getRow } from '../../support/app/database-rows.ts';
import { listen } from '../../support/app/event-streams.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { sha256Of } from '../../support/app/stored-objects.ts';
import { makeUser, testPassword } from '../../support/app/users.ts';
import { saveBook } from '../../support/fixtures/book.ts';
import { makeFile, makeFolder, makePdfFile, makeTextFile, tinyPdf } from '../../support/fixtures/files.ts';
import {
	beginUpload,
	beginWholeUpload,
	encodeBatch,
	encodeMetadata,
	isStoringPartsOnDisk,
	receiveBytes,
	sendChunk,
	sendFirstBytes,
	tus,
	waitForFirstBytes,
} from '../../support/fixtures/uploads.ts';

const { testApp, deps, admin } = await openTestApp();
const owner = 'reader@example.com';
const ownerId = await makeUser(deps, owner);
const url = await listen(testApp.app);

/** Uploads with tus-js-client. @returns the methods of the requests. @throws the error of tus-js-client */
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

/** Starts an upload without tus-js-client. @returns the response, and the location and ID of the upload */
async function begin(filename: string, size: number, more: Record<string, string> = {}) {
	const answer = await beginUpload(admin, { owner, filename, ...more }, size);
	const location = String(answer.headers.location);
	return { answer, location, id: location.split('/').at(-1) ?? '' };
}
const patch = (location: string, offset: number, bytes: Buffer) => sendChunk(admin, location, offset, bytes);
const head = (location: string) => admin.call('HEAD', location, undefined, tus);
/** Returns the files with this name that are not deleted, with the columns of their blobs. */
async function findFile(name: string) {
	const nodes = await findRows(deps, 'nodes', { name, deleted_at: null });
	return Promise.all(
		nodes.map(async ({ id, owner_id, path, blob_id }) => {
			return { ...(await getRow(deps, 'blobs', { id: blob_id ?? '' })), id, owner_id, path };
		}),
	);
}
const listUploads = () => findRows(deps, 'uploads', { finished_at: null });
const expectConsistent = async () => expect((await checkIntegrity(deps)).problems).toEqual([]);

/** Deletes unfinished uploads. Otherwise, they would be in the lists of later tests. */
afterEach(async () => {
	await deps.db.deleteFrom('uploads').where('finished_at', 'is', null).execute();
});

describe('an upload', () => {
	test('in chunks is stored unchanged, with the detected type and a safe storage key', async () => {
		const bytes = Buffer.concat([tinyPdf, Buffer.alloc(1_000_003, 'folio')]);
		const requests = await upload(bytes, { filename: 'पुस्तक ../1.pdf'.replace('/', '∕'), filetype: 'text/html' });
		expect(requests).toEqual(['POST', 'PATCH', 'PATCH', 'PATCH', 'PATCH']);
		const [file] = await findFile('पुस्तक ..∕1.pdf');
		expect(file).toMatchObject({
			owner_id: ownerId,
			sha256: sha256Of(bytes),
			size_bytes: bytes.length,
			content_type: 'application/pdf',
		});
		expect(file?.storage_key).toMatch(/^files\/reader@example\.com\/[\w-]+-[\w.@-]+$/u);
		const read = await admin.call('GET', `/api/files/${file?.id}/content`);
		expect(sha256Of(read.rawPayload)).toBe(sha256Of(bytes));
		expect(await listUploads()).toEqual([]);
		await expectConsistent();
	});

	test('of 0 bytes creates an empty file', async () => {
		await upload(Buffer.alloc(0), { filename: 'empty.txt' });
		const [file] = await findFile('empty.txt');
		expect(file).toMatchObject({ size_bytes: 0, content_type: 'application/octet-stream' });
		expect((await admin.call('GET', `/api/files/${file?.id}/content`)).rawPayload).toHaveLength(0);
	});

	test('continues at its offset, also after a restart, and returns 409 for a chunk at another offset', async () => {
		const { location } = await begin('resumed.txt', 10);
		expect((await patch(location, 0, Buffer.from('01234'))).headers['upload-offset']).toBe('5');
		expect((await patch(location, 0, Buffer.from('01234'))).statusCode).toBe(409);
		expect((await patch(location, 7, Buffer.from('789'))).statusCode).toBe(409);
		expect((await head(location)).headers).toMatchObject({
			'upload-offset': '5',
			'upload-length': '10',
			'cache-control': 'no-store',
		});
		await resumeOrDiscardUploads(deps);
		expect(await findFile('resumed.txt')).toEqual([]);
		expect((await patch(location, 5, Buffer.from('56789'))).statusCode).toBe(204);
		expect(await findFile('resumed.txt')).toMatchObject([{ sha256: sha256Of(Buffer.from('0123456789')) }]);
		const done = await head(location);
		expect([done.statusCode, done.headers['upload-offset']]).toEqual([200, '10']);
	});

	test('keeps the bytes that were received before the connection was lost', async () => {
		const { location, id } = await begin('broken.bin', 100_000);
		const { openRequest } = sendFirstBytes(url, admin, location, Buffer.alloc(60_000, 'a'), 100_000);
		await expect.poll(async () => deps.live.count()).toBe(1);
		await waitForFirstBytes(deps, id);
		openRequest.destroy();
		await expect.poll(() => deps.live.count()).toBe(0);
		const offset = async () => Number((await head(location)).headers['upload-offset']);
		await expect.poll(offset).toBeGreaterThan(0);
		const from = await offset();
		const rest = Buffer.alloc(100_000 - from, 'a');
		await expect.poll(async () => (await patch(location, from, rest)).statusCode).toBe(204);
		expect(await findFile('broken.bin')).toMatchObject([{ sha256: sha256Of(Buffer.alloc(100_000, 'a')) }]);
	});
});

if (isStoringPartsOnDisk) {
	describe('an upload of which the disk loses bytes', () => {
		const chunksOf = (id: string) => join(uploadFolder(deps), id);

		test('continues at the end of its bytes when the last ones are missing at its end', async () => {
			const { location, id } = await begin('lost at its end.txt', 10);
			const { adopt } = deps.storage;
			const adopting = vi.spyOn(deps.storage, 'adopt').mockImplementationOnce(async (...args) => {
				await truncate(chunksOf(id), 4);
				return adopt(...args);
			});
			expect((await patch(location, 0, Buffer.from('0123456789'))).json().code).toBe('UPLOAD_OFFSET');
			adopting.mockRestore();
			expect((await head(location)).headers['upload-offset']).toBe('4');
			expect((await patch(location, 4, Buffer.from('456789'))).statusCode).toBe(204);
			expect(await findFile('lost at its end.txt')).toMatchObject([{ sha256: sha256Of(Buffer.from('0123456789')) }]);
		});

		test('starts again when a sync fails while they arrive, because the system reports a lost byte only once', async () => {
			const bytes = Buffer.alloc(24 * 1024 * 1024, 'folio');
			const { location, id } = await begin('lost in between.bin', bytes.length);
			expect((await patch(location, 0, bytes.subarray(0, 1000))).statusCode).toBe(204);
			await using file = await open(chunksOf(id));
			const failure = Object.assign(new Error('i/o error'), { code: 'EIO' });
			const sync = vi.spyOn(Object.getPrototypeOf(file), 'datasync').mockRejectedValueOnce(failure);
			const rest = bytes.subarray(1000);
			expect(await sendFirstBytes(url, admin, location, rest, rest.length, 1000).status).toBe(500);
			expect(sync).toHaveBeenCalledTimes(1);
			sync.mockRestore();
			expect((await head(location)).headers['upload-offset']).toBe('0');
			expect(await findFile('lost in between.bin')).toEqual([]);
			expect((await patch(location, 0, bytes)).statusCode).toBe(204);
			expect(await findFile('lost in between.bin')).toMatchObject([{ sha256: sha256Of(bytes) }]);
		});
	});
}

describe('small files sent whole at the same time', () => {
	/** Sends a file in its creation request. @returns status and error code */
	async function create(filename: string, bytes: Buffer, more: Record<string, string> = {}) {
		const { statusCode, body } = await beginUpload(admin, { owner, filename, ...more }, bytes.length, bytes);
		return [statusCode, body === '' ? '' : JSON.parse(body).code];
	}

	/** Returns the answers sorted, because the server may handle either request first. */
	const inAnyOrder = async (...answers: Array<ReturnType<typeof create>>) => (await Promise.all(answers)).sort();

	test('are accepted or refused one by one, by name, folder, space and quota', async () => {
		const [full, pastId, id] = ['small-full@example.com', newId(), newId()];
		await makeUser(deps, full);
		await admin.call('PUT', `/api/spaces/${full}/quota`, { quotaBytes: 25 });
		const folder = await makeFolder(deps, owner, 'Small files');
		const gone = await makeFolder(deps, owner, 'Small files, deleted');
		await admin.call('DELETE', `/api/nodes/${gone.id}`);
		await makeFile(deps, { ownerId, folder, name: 'taken.txt', bytes: Buffer.from('old') });
		const replacedId = await makeTextFile(deps, ownerId, 'small replaced.txt', 'old');
		expect(await create('small, past.txt', Buffer.from('past'), { id: pastId })).toEqual([201, '']);
		const one = Buffer.from('one');
		const answers = await Promise.all([
			create('small.pdf', tinyPdf, { path: folder.path }),
			inAnyOrder(create('small.txt', one, { path: folder.path }), create('SMALL.txt', one, { path: folder.path })),
			create('taken.txt', Buffer.from('three'), { path: folder.path, conflict: 'rename' }),
			create('small replaced.txt', Buffer.from('new'), { conflict: 'replace' }),
			inAnyOrder(
				create('small a.txt', Buffer.from('same'), { id }),
				create('small b.txt', Buffer.from('same'), { id }),
			),
			create('small, past again.txt', Buffer.from('past'), { id: pastId }),
			create('small.txt', Buffer.from('none'), { path: gone.path }),
			create('small.txt', Buffer.from('none'), { owner: 'no-one@example.com' }),
			create('a/b', Buffer.from('none')),
			inAnyOrder(...['fits.txt', 'no room.txt'].map((name) => create(name, Buffer.alloc(20), { owner: full }))),
		]);
		const stored = [201, ''];
		expect(answers).toEqual([
			stored,
			[stored, [409, 'FILE_EXISTS']],
			stored,
			stored,
			[stored, [409, 'UPLOAD_OFFSET']],
			[409, 'UPLOAD_OFFSET'],
			[404, 'FOLDER_GONE'],
			[404, 'NOT_FOUND'],
			[422, 'NAME_INVALID'],
			[stored, [402, 'QUOTA_EXCEEDED']],
		]);
		expect(await findFile('small.pdf')).toMatchObject([
			{ owner_id: ownerId, path: folder.path, sha256: sha256Of(tinyPdf), content_type: 'application/pdf' },
		]);
		const named = [...(await findFile('small.txt')), ...(await findFile('SMALL.txt'))];
		expect(named).toMatchObject([{ sha256: sha256Of(one) }]);
		expect(await findFile('taken (2).txt')).toMatchObject([{ sha256: sha256Of(Buffer.from('three')) }]);
		expect(await findFile('small replaced.txt')).toMatchObject([{ sha256: sha256Of(Buffer.from('new')) }]);
		expect(await findRows(deps, 'nodes', { id: replacedId })).toMatchObject([{ deleted_at: expect.any(String) }]);
		const [pdf] = await findFile('small.pdf');
		const [{ blob_id: pdfBlob } = { blob_id: null }] = await findRows(deps, 'nodes', { id: pdf?.id ?? '' });
		const thumbnailJobs = await findRows(deps, 'jobs', { id: `thumbnail-${pdfBlob}` });
		const thumbnails = await findRows(deps, 'thumbnails', { blob_id: pdfBlob ?? '' });
		expect([...thumbnailJobs, ...thumbnails]).toHaveLength(1);
		expect(await findRows(deps, 'audit', { action: 'file-uploaded', subject_id: pdf?.id ?? '' })).toMatchObject([
			{ actor_email: 'admin@example.com', detail: JSON.stringify({ name: 'small.pdf', size: tinyPdf.length }) },
		]);
		expect((await head(`/api/uploads/${id}`)).headers['upload-offset']).toBe('4');
		testApp.clock.advance(7200);
		await expectConsistent();
		await admin.signIn('admin@example.com', testPassword);
	});

	test('are stored except the one that the storage refuses', async () => {
		const { putMany } = deps.storage;
		const reason = new AppError('STORAGE_UNAVAILABLE');
		const failing = vi.spyOn(deps.storage, 'putMany').mockImplementation(async (objects) => {
			const results = await putMany(objects);
			return results.map((result, i) =>
				String(objects[i]?.bytes) === 'unlucky.bin' ? { status: 'rejected', reason } : result,
			);
		});
		const names = ['unlucky.bin', 'lucky 1.bin', 'lucky 2.bin'];
		const answers = await Promise.all(names.map((name) => create(name, Buffer.from(name))));
		failing.mockRestore();
		expect(answers).toEqual([
			[503, 'STORAGE_UNAVAILABLE'],
			[201, ''],
			[201, ''],
		]);
		expect(await create('unlucky.bin', Buffer.from('unlucky.bin'))).toEqual([201, '']);
		for (const name of names) expect(await findFile(name)).toMatchObject([{ sha256: sha256Of(Buffer.from(name)) }]);
	});

	test('are refused only for the name or the id that another process uses while their bytes are stored', async () => {
		const { putMany } = deps.storage;
		const [usedId, names] = [newId(), ['taken meanwhile.bin', 'id used meanwhile.bin', 'free.bin']];
		const useNameAndId = async () => {
			await makeTextFile(deps, ownerId, names[0] ?? '', 'first');
			await beginUpload(admin, { owner, filename: 'other.bin', id: usedId }, 9);
		};
		let meanwhile: Promise<void> | undefined;
		// On S3, the files may arrive in several batches.
		const storing = vi.spyOn(deps.storage, 'putMany').mockImplementation(async (objects) => {
			meanwhile ??= useNameAndId();
			await meanwhile;
			return putMany(objects);
		});
		const answers = await Promise.all(
			names.map((name, index) => create(name, Buffer.from(name), index === 1 ? { id: usedId } : {})),
		);
		storing.mockRestore();
		expect(answers).toEqual([
			[409, 'FILE_EXISTS'],
			[409, 'UPLOAD_OFFSET'],
			[201, ''],
		]);
	});

	test('keep the bytes that were received before the connection was lost', async () => {
		const [id, bytes] = [newId(), Buffer.alloc(100_000, 'w')];
		const metadata = { owner, filename: 'broken whole.bin', id };
		const { openRequest } = beginWholeUpload(url, admin, metadata, bytes.subarray(0, 60_000), bytes.length);
		await expect.poll(async () => deps.live.count()).toBe(1);
		await sleep(100);
		openRequest.destroy();
		const location = `/api/uploads/${id}`;
		await waitForFirstBytes(deps, id);
		const offset = async () => (await head(location)).headers['upload-offset'];
		await expect.poll(offset).toBe('60000');
		expect((await patch(location, 60_000, bytes.subarray(60_000))).statusCode).toBe(204);
		expect(await findFile('broken whole.bin')).toMatchObject([{ sha256: sha256Of(bytes) }]);
	});
});

describe('a batch of small files', () => {
	const sendBatch = (...files: Parameters<typeof encodeBatch>[0]) => {
		const { body, headers } = encodeBatch(files);
		return admin.call('POST', '/api/upload-batches', body, headers);
	};
	const textFile = (name: string, more: object = {}) => ({ owner, name, bytes: Buffer.from(`in ${name}`), ...more });

	test('stores or refuses each file alone, with the message of a single upload', async () => {
		const [id, folder] = [newId(), await makeFolder(deps, owner, 'Batch')];
		const gone = await makeFolder(deps, owner, 'Batch, deleted');
		await admin.call('DELETE', `/api/nodes/${gone.id}`);
		await makeFile(deps, { ownerId, folder, name: 'batch taken.txt', bytes: Buffer.from('old') });
		const inFolder = { path: folder.path };
		const answer = await sendBatch(
			textFile('batch.txt', { ...inFolder, id, modifiedMs: 5 }),
			{ owner, name: 'batch.pdf', bytes: tinyPdf, ...inFolder },
			textFile('BATCH.txt', inFolder),
			textFile('batch taken.txt', inFolder),
			textFile('batch taken.txt', { ...inFolder, conflict: 'rename' }),
			textFile('batch again.txt', { id }),
			textFile('batch.txt', { path: gone.path }),
			textFile('batch.txt', { owner: 'no-one@example.com' }),
			textFile('a/b'),
			textFile('batch last.txt', inFolder),
		);
		expect(answer.statusCode).toBe(200);
		expect(answer.json().items).toMatchObject([
			null,
			null,
			{ status: 409, code: 'FILE_EXISTS', message: 'File BATCH.txt already exists' },
			{ status: 409, code: 'FILE_EXISTS' },
			null,
			{ status: 409, code: 'UPLOAD_OFFSET' },
			{ status: 404, code: 'FOLDER_GONE' },
			{ status: 404, code: 'NOT_FOUND' },
			{ status: 422, code: 'NAME_INVALID' },
			null,
		]);
		expect(await findFile('batch.pdf')).toMatchObject([{ sha256: sha256Of(tinyPdf), content_type: 'application/pdf' }]);
		for (const name of ['batch.txt', 'batch last.txt'])
			expect(await findFile(name)).toMatchObject([{ ...inFolder, sha256: sha256Of(Buffer.from(`in ${name}`)) }]);
		expect(await findFile('batch taken (2).txt')).toMatchObject([
			{ sha256: sha256Of(Buffer.from('in batch taken.txt')) },
		]);
		expect((await head(`/api/uploads/${id}`)).headers['upload-offset']).toBe('12');
		expect(await getRow(deps, 'uploads', { id })).toMatchObject({ modified_ms: 5, finished_at: expect.any(String) });
		await expectConsistent();
	});

	test('is refused as a whole, and stores nothing, when its list is not valid or does not fit its bytes', async () => {
		const file = textFile('refused.txt');
		const { body, headers } = encodeBatch([file]);
		const bodies: Array<[Buffer | string, number]> = [
			['', 422],
			['[]\n', 422],
			['no list\n', 422],
			[body.subarray(0, -1), 422],
			[Buffer.concat([body, Buffer.from('!')]), 422],
			[encodeBatch([{ ...file, bytes: Buffer.alloc(256 * 1024 + 1) }]).body, 422],
			[encodeBatch([{ ...file, sizeBytes: -1 }]).body, 422],
			[encodeBatch([{ ...file, id: '../../escape' }]).body, 422],
			[encodeBatch(Array.from({ length: 33 }, () => file)).body, 422],
			[Buffer.alloc(1_400_000, ' '), 413],
		];
		const answers = await Promise.all(bodies.map(([sent]) => admin.call('POST', '/api/upload-batches', sent, headers)));
		expect(answers.map(({ statusCode }) => statusCode)).toEqual(bodies.map(([, status]) => status));
		expect(await findFile('refused.txt')).toEqual([]);
	});
});

describe('an upload with a name that exists', () => {
	test('is refused with the specified message before any bytes are sent', async () => {
		await makeTextFile(deps, ownerId, 'Taken.txt', 'first');
		const { answer } = await begin('tAKEN.txt', 5);
		expect(answer.statusCode).toBe(409);
		expect(JSON.parse(answer.body)).toMatchObject({ code: 'FILE_EXISTS', message: 'File tAKEN.txt already exists' });
		await expect(upload(Buffer.from('other'), { filename: 'Taken.txt' })).rejects.toMatchObject({
			originalResponse: expect.objectContaining({ getBody: expect.any(Function) }),
		});
		expect(await findFile('Taken.txt')).toMatchObject([{ sha256: sha256Of(Buffer.from('first')) }]);
		expect(await listUploads()).toEqual([]);
	});

	test('is refused at its end when another upload has taken the name, and leaves no bytes', async () => {
		const uploads = await Promise.all([begin('race.txt', 5), begin('RACE.txt', 5)]);
		const answers = await Promise.all(
			uploads.map(({ location }, i) => patch(location, 0, Buffer.from(`bytes${i}`.slice(-5)))),
		);
		expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([204, 409]);
		const loser = answers.find(({ statusCode }) => statusCode === 409);
		const message = expect.stringMatching(/^File race\.txt already exists$/iu);
		expect(JSON.parse(loser?.body ?? '{}')).toMatchObject({ message, fields: { name: message } });
		expect([...(await findFile('race.txt')), ...(await findFile('RACE.txt'))]).toHaveLength(1);
		expect(await listUploads()).toEqual([]);
		testApp.clock.advance(7200);
		await expectConsistent();
		await admin.signIn('admin@example.com', testPassword);
	});
});

describe('an upload with a conflict policy', () => {
	const old = Buffer.from('the old one');
	const fresh = Buffer.from('the new one');
	const trashed = async () =>
		(await admin.call('GET', `/api/spaces/${owner}/trash`)).json().items.map((item: { name: string }) => item.name);
	const nodesNamed = (name: string) => findRows(deps, 'nodes', { name });

	test('is stored under the next free name with the policy rename', async () => {
		await makeFile(deps, { ownerId, name: 'both.txt', bytes: old });
		await upload(fresh, { filename: 'BOTH.txt', conflict: 'rename' });
		await upload(fresh, { filename: 'both.txt', conflict: 'rename' });
		expect(await findFile('both.txt')).toMatchObject([{ sha256: sha256Of(old) }]);
		expect(await findFile('BOTH (2).txt')).toMatchObject([{ sha256: sha256Of(fresh) }]);
		expect(await findFile('both (3).txt')).toMatchObject([{ sha256: sha256Of(fresh) }]);
	});

	test('moves the existing file to the trash when the upload is complete, and the new file is not shared', async () => {
		const oldId = await makeFile(deps, { ownerId, name: 'replaced.txt', bytes: old });
		const email = 'friend@example.com';
		await makeUser(deps, email);
		expect((await admin.call('POST', '/api/shares', { nodeId: oldId, email })).statusCode).toBe(200);
		const { location } = await begin('replaced.txt', fresh.length, { conflict: 'replace' });
		await patch(location, 0, fresh.subarray(0, 4));
		expect(await findFile('replaced.txt'), 'while the upload is incomplete').toMatchObject([{ id: oldId }]);
		expect((await admin.call('GET', '/api/uploads')).json().items).toMatchObject([{ conflict: 'replace' }]);
		await patch(location, 4, fresh.subarray(4));
		const [now] = await findFile('replaced.txt');
		expect(now).toMatchObject({ sha256: sha256Of(fresh) });
		expect(now?.id).not.toBe(oldId);
		expect(await trashed()).toContain('replaced.txt');
		expect(await findRows(deps, 'shares')).toEqual([]);
		await admin.call('POST', `/api/trash/${oldId}/restore`);
		expect(await findFile('replaced (2).txt')).toMatchObject([{ id: oldId, sha256: sha256Of(old) }]);
		await expectConsistent();
	});

	test('replaces the PDF of an edition, but not by a file that buyers could not read', async () => {
		const oldId = await makePdfFile(deps, 'book', { name: 'part one.pdf' });
		await saveBook(admin, { editions: [{ key: 'part-1-en', fileId: oldId }] });
		const corrected = Buffer.concat([tinyPdf, Buffer.from('% corrected\n')]);
		await upload(corrected, { owner: 'book', filename: 'part one.pdf', conflict: 'replace' });
		const read = () => admin.call('GET', '/api/editions/part-1-en/content');
		expect((await read()).rawPayload).toEqual(corrected);
		const target = { owner: 'book', filename: 'part one.pdf', conflict: 'replace' };
		for (const [bytes, reason] of [
			[fresh, 'It is not a PDF.'],
			[Buffer.from('%PDF-1.4\nand nothing more'), 'This PDF is damaged.'],
		] as const) {
			const begun = await beginUpload(admin, target, bytes.length);
			const answers = [
				await patch(String(begun.headers.location), 0, bytes),
				await beginUpload(admin, target, bytes.length, bytes),
			];
			for (const answer of answers)
				expect(answer.json()).toMatchObject({ code: 'EDITION_UNFIT', message: expect.stringContaining(reason) });
			const batch = encodeBatch([{ owner: 'book', name: 'part one.pdf', bytes, conflict: 'replace' }]);
			const { body } = await admin.call('POST', '/api/upload-batches', batch.body, batch.headers);
			expect(body).toContain('EDITION_UNFIT');
		}
		expect((await read()).rawPayload).toEqual(corrected);
		expect(await listUploads()).toEqual([]);
		await expectConsistent();
	});

	test('does not replace a folder, and is refused with 409 when the policy is unknown', async () => {
		await makeFolder(deps, owner, 'Folder.txt');
		const { answer } = await begin('folder.txt', 5, { conflict: 'replace' });
		expect(answer.json()).toMatchObject({ code: 'FILE_EXISTS', message: 'File folder.txt already exists' });
		expect((await begin('folder.txt', 5, { conflict: 'overwrite' })).answer.statusCode).toBe(409);
		expect(await listUploads()).toEqual([]);
	});

	test('returns QUOTA_NEEDS_BOTH when the quota is too small for the old and the new file together', async () => {
		const email = 'full@example.com';
		const id = await makeUser(deps, email);
		await admin.call('PUT', `/api/spaces/${email}/quota`, { quotaBytes: 25 });
		await makeFile(deps, { ownerId: id, name: 'big.txt', bytes: Buffer.alloc(20) });
		const { answer: refused } = await begin('big.txt', 10, { owner: email, conflict: 'replace' });
		expect(refused.statusCode).toBe(402);
		expect(refused.json()).toMatchObject({
			code: 'QUOTA_NEEDS_BOTH',
			message:
				'There is not enough space left to replace it: less than 1 KB of less than 1 KB are free, and the old file counts until the trash is emptied.',
		});
		const other = await begin('other.txt', 10, { owner: email, conflict: 'replace' });
		expect(other.answer.json().code).toBe('QUOTA_EXCEEDED');
		// Another file has used the space during the upload, so that the old file is not replaced.
		const { location } = await begin('big.txt', 5, { owner: email, conflict: 'replace' });
		await makeFile(deps, { ownerId: id, name: 'between.bin', bytes: Buffer.alloc(3) });
		expect((await patch(location, 0, Buffer.alloc(5))).json().code).toBe('QUOTA_NEEDS_BOTH');
		expect(await findFile('big.txt')).toMatchObject([{ size_bytes: 20 }]);
	});

	test('leaves one file when three uploads replace a file at the same time, and moves the other files to the trash', async () => {
		await makeFile(deps, { ownerId, name: 'raced.txt', bytes: old });
		const uploads = await Promise.all([1, 2, 3].map(() => begin('raced.txt', 6, { conflict: 'replace' })));
		const answers = await Promise.all(uploads.map(({ location }, i) => patch(location, 0, Buffer.from(`bytes${i}`))));
		expect(answers.map(({ statusCode }) => statusCode)).toEqual([204, 204, 204]);
		expect((await nodesNamed('raced.txt')).filter((node) => node.deleted_at === null)).toHaveLength(1);
		expect(await nodesNamed('raced.txt')).toHaveLength(4);
		await expectConsistent();
	});

	test.each(['before the bytes are moved', 'after the bytes were moved but before the row was written'])(
		'replaces the file once at the next start when the process was killed %s',
		async (when) => {
			const name = `killed ${when}.txt`;
			await makeFile(deps, { ownerId, name, bytes: old });
			const { id } = await begin(name, fresh.length, { conflict: 'replace' });
			await receiveBytes(deps, id, fresh);
			if (when !== 'before the bytes are moved')
				await uploadStorageOf(deps).assemble(deps, await getRow(deps, 'uploads', { id }));
			expect(await findFile(name)).toMatchObject([{ sha256: sha256Of(old) }]);
			await resumeOrDiscardUploads(deps);
			await resumeOrDiscardUploads(deps);
			await Promise.all([finishUpload(deps, systemCaller, id), finishUpload(deps, systemCaller, id)]);
			expect(await findFile(name)).toMatchObject([{ sha256: sha256Of(fresh) }]);
			expect(await nodesNamed(name)).toHaveLength(2);
			await expectConsistent();
		},
	);
});

describe('an invalid upload request', () => {
	const invalid = 'A name may not contain / or control characters, nor be only dots.';
	test.each([
		['no name', '', {}, 422, invalid],
		['only invisible characters', '\u200B\u2060\u3164', {}, 422, invalid],
		['a name of 256 bytes', 'x'.repeat(256), {}, 422, 'This name is too long: 255 bytes at most.'],
		['an unknown owner', 'a.txt', { owner: 'nobody@example.com' }, 404, 'Not found.'],
		['an unknown folder', 'a.txt', { path: '42' }, 404, 'This folder is no longer there.'],
	])('is refused with a message when it has %s', async (_what, filename, more, status, message) => {
		const { answer } = await begin(filename, 5, more);
		expect([answer.statusCode, JSON.parse(answer.body).message]).toEqual([status, message]);
		expect(await listUploads()).toEqual([]);
	});

	test('is refused when its size is unknown or above 50 GB, and stores nothing', async () => {
		expect((await begin('huge.bin', 51 * 1024 ** 3)).answer.statusCode).toBe(413);
		const metadata = encodeMetadata({ owner, filename: 'deferred' });
		const headers = { ...tus, 'upload-defer-length': '1', 'upload-metadata': metadata };
		expect((await admin.call('POST', '/api/uploads', undefined, headers)).statusCode).toBeGreaterThanOrEqual(400);
		expect(await listUploads()).toEqual([]);
	});

	test('gets security headers and no CORS permission when it comes from another origin', async () => {
		const answer = await admin.call('OPTIONS', '/api/uploads', undefined, { ...tus, origin: 'http://evil.example' });
		expect(answer.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
		expect(answer.headers['access-control-allow-origin'] ?? 'none').not.toMatch(/\*|evil/u);
	});
});

describe('an upload whose process was killed', () => {
	test('is finished by the next HEAD request when all bytes had arrived', async () => {
		const bytes = Buffer.from('all of it has arrived');
		const { id, location } = await begin('before.txt', bytes.length);
		await receiveBytes(deps, id, bytes);
		expect((await head(location)).headers['upload-offset']).toBe(String(bytes.length));
		expect(await findFile('before.txt')).toMatchObject([{ sha256: sha256Of(bytes) }]);
	});

	test('is deleted after a week when no more bytes arrive', async () => {
		await begin('abandoned.txt', 10);
		testApp.clock.advance(8 * 24 * 3600);
		await resumeOrDiscardUploads(deps);
		expect(await listUploads()).toEqual([]);
	});
});
