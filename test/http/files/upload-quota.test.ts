import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { resumeOrDiscardUploads } from '#server/features/files/uploads/uploads.service.ts';
import { checkIntegrity } from '#server/features/maintenance/tasks/tasks.service.ts';
import { jobHandlers } from '#server/job-handlers.ts';
import { runNextJob } from '#server/platform/jobs/jobs.ts';
import { findRows } from '../../support/app/database-rows.ts';
import { diskWithSpaceForFiles, fakeDiskSpace, largeDisk } from '../../support/app/disk-space.ts';
import { readNames } from '../../support/app/lists.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { makeUser, testPassword } from '../../support/app/users.ts';
import { makeFolder } from '../../support/fixtures/files.ts';
import { beginUpload, sendChunk, tus } from '../../support/fixtures/uploads.ts';

const { testApp, deps, admin } = await openTestApp();
let email: string;
let ownerId: string;

beforeEach(async () => {
	email = `${randomUUID()}@example.com`;
	ownerId = await makeUser(deps, email);
});

afterEach(() => {
	fakeDiskSpace(deps, largeDisk);
});

afterAll(async () => expect((await checkIntegrity(deps)).problems).toEqual([]));

const begin = (filename: string, size: number, path = '', owner = email) =>
	beginUpload(admin, { owner, path, filename }, size);
const send = (location: string, bytes: Buffer, offset = 0) => sendChunk(admin, location, offset, bytes);
const getOffset = (location: string) => admin.call('HEAD', location, undefined, tus);
const setQuota = (quotaBytes: number | null) => admin.call('PUT', `/api/spaces/${email}/quota`, { quotaBytes });
const codeOf = (answer: { body: string }) => JSON.parse(answer.body).code;

const namesIn = (path: string) => readNames(admin, `/api/spaces/${email}/nodes?path=${encodeURIComponent(path)}`);
const findUploads = () => findRows(deps, 'uploads', { owner_id: ownerId });

test.each([
	['bytes of another upload arrive', { arrivedBytes: 0, arrivingBytes: 300, atRead: 1 }],
	['another upload is finished', { arrivedBytes: 599, arrivingBytes: 1, atRead: 2 }],
])('an upload is refused when it does not fit, although %s while the disk space is read', async (_what, other) => {
	const { arrivedBytes, arrivingBytes, atRead } = other;
	const location = String((await begin('other.bin', 600)).headers.location);
	await send(location, Buffer.alloc(arrivedBytes));
	let [freeBytes, reads] = [1000 - arrivedBytes, 0];
	deps.storage.getDiskSpace = async () => {
		const space = diskWithSpaceForFiles(freeBytes);
		reads += 1;
		if (reads !== atRead) return space;
		freeBytes -= arrivingBytes;
		expect((await send(location, Buffer.alloc(arrivingBytes), arrivedBytes)).statusCode).toBe(204);
		return space;
	};
	expect((await begin('does not fit.bin', 500)).statusCode).toBe(507);
	expect(reads).toBeGreaterThan(atRead);
	await admin.call('DELETE', location, undefined, tus);
});

describe('uploads that start at the same time', () => {
	test('are accepted only up to the quota', async () => {
		await setQuota(1000);
		const answers = await Promise.all(Array.from({ length: 8 }, (_, i) => begin(`${i}.bin`, 900)));
		expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, ...Array(7).fill(402)]);
		expect(await findUploads()).toHaveLength(1);
		expect((await begin('to the byte.bin', 100)).statusCode).toBe(201);
		expect((await begin('one byte more.bin', 1)).statusCode).toBe(402);
	});

	test('are accepted up to the free disk space, and an abandoned upload is not counted after a day', async () => {
		const unfinished = await findRows(deps, 'uploads', { finished_at: null });
		const announced = unfinished.reduce((sum, upload) => sum + upload.size_bytes, 0);
		fakeDiskSpace(deps, diskWithSpaceForFiles(announced + 1000));
		const answers = await Promise.all(
			Array.from({ length: 6 }, (_, i) => begin(`disk ${i}.bin`, 900, '', i % 2 === 0 ? email : 'guest')),
		);
		expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, ...Array(5).fill(507)]);
		const [taken] = answers.filter(({ statusCode }) => statusCode === 201);
		// The received bytes are already missing in the free disk space.
		await send(String(taken?.headers.location), Buffer.alloc(800));
		fakeDiskSpace(deps, diskWithSpaceForFiles(announced + 200));
		expect((await begin('fits.bin', 100)).statusCode).toBe(201);
		expect((await begin('does not.bin', 1)).statusCode).toBe(507);
		testApp.clock.advance(25 * 3600);
		await admin.signIn('admin@example.com', testPassword);
		expect((await begin('tomorrow.bin', 150)).statusCode).toBe(201);
	});
});

describe('an upload', () => {
	test('continues in its folder when the folder was moved', async () => {
		const folder = await makeFolder(deps, email, 'folder');
		const elsewhere = await makeFolder(deps, email, 'elsewhere');
		const { headers } = await begin('moving.bin', 6, folder.path);
		await send(String(headers.location), Buffer.from('abc'));
		await admin.call('POST', '/api/nodes/move', { ids: [folder.id], path: elsewhere.path });
		const { items } = (await admin.call('GET', '/api/uploads')).json();
		expect(items.find(({ name }: { name: string }) => name === 'moving.bin')).toMatchObject({
			path: `${elsewhere.path}/${folder.path}`,
			folders: ['elsewhere', 'folder'],
		});
		expect((await send(String(headers.location), Buffer.from('def'), 3)).statusCode).toBe(204);
		expect(await namesIn(`${elsewhere.path}/${folder.path}`)).toEqual(['moving.bin']);
	});

	test('is refused while its folder is in the trash, and is completed after the folder was restored', async () => {
		const folder = await makeFolder(deps, email, 'folder');
		const { headers } = await begin('waiting.bin', 3, folder.path);
		const location = String(headers.location);
		await admin.call('DELETE', `/api/nodes/${folder.id}`);
		const answer = await send(location, Buffer.from('abc'));
		expect([answer.statusCode, JSON.parse(answer.body).message]).toEqual([404, 'This folder is no longer there.']);
		expect((await getOffset(location)).statusCode).toBe(404);
		await resumeOrDiscardUploads(deps);
		await admin.call('POST', `/api/trash/${folder.id}/restore`, {});
		const found = await getOffset(location);
		expect([found.statusCode, found.headers['upload-offset']]).toEqual([200, '3']);
		expect(await namesIn(folder.path)).toEqual(['waiting.bin']);
	});

	test('is discarded when its folder is purged or is not restored within a week', async () => {
		for (const isForGood of [true, false]) {
			const folder = await makeFolder(deps, email, `gone ${isForGood}`);
			const { headers } = await begin('gone.bin', 3, folder.path);
			await admin.call('DELETE', `/api/nodes/${folder.id}`);
			await send(String(headers.location), Buffer.from('abc'));
			expect(await findUploads()).toHaveLength(1);
			if (isForGood) {
				await admin.call('DELETE', `/api/trash/${folder.id}`);
				while (await runNextJob(deps, jobHandlers));
			} else {
				testApp.clock.advance(8 * 24 * 3600);
				await admin.signIn('admin@example.com', testPassword);
			}
			await resumeOrDiscardUploads(deps);
			expect(await findUploads()).toEqual([]);
		}
	});

	test('that exceeds the quota waits for free space, and can be cancelled', async () => {
		const first = String((await begin('kept.bin', 500)).headers.location);
		const second = String((await begin('given up.bin', 500)).headers.location);
		await setQuota(100);
		for (const location of [first, second])
			expect(codeOf(await send(location, Buffer.alloc(500)))).toBe('QUOTA_EXCEEDED');
		expect((await admin.call('DELETE', second, undefined, tus)).statusCode).toBe(204);
		await setQuota(null);
		expect((await getOffset(first)).statusCode).toBe(200);
		expect(await namesIn('')).toEqual(['kept.bin']);
		expect((await getOffset(second)).statusCode).toBe(404);
	});
});
