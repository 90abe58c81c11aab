import { readFile } from 'node:fs/promises';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import type { Node } from '#contract/files/files.ts';
import { queueThumbnail } from '#server/features/files/thumbnails/thumbnails.service.ts';
import { checkIntegrity, collectGarbage } from '#server/features/maintenance/tasks/tasks.service.ts';
import { jobHandlers } from '#server/job-handlers.ts';
import { runNextJob } from '#server/platform/jobs/jobs.ts';
import { drawFirstPage } from '#server/platform/pdf/first-page.ts';
import type { PdfError, ProcessLimits } from '#server/platform/pdf/process-limits.ts';
import { findRows, getRow } from '../../support/app/database-rows.ts';
import { type HttpClient, postFile } from '../../support/app/http-client.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { storageKeyOfFile } from '../../support/app/stored-objects.ts';
import { makeSignedInUser } from '../../support/app/users.ts';
import { makeHugePng, makePicture } from '../../support/documents/images.ts';
import { writePdf } from '../../support/documents/sample-files.ts';
import { makeFile } from '../../support/fixtures/files.ts';

const { testApp, deps, admin } = await openTestApp();
const email = 'reader@example.com';
const { id: memberId, client: member } = await makeSignedInUser(testApp, email);

const add = (name: string, bytes: Buffer, contentType: string) =>
	makeFile(deps, { ownerId: memberId, name, bytes, contentType });
const find = async (id: string) => {
	const { items } = (await member.call('GET', '/api/spaces/me/nodes?limit=1000')).json() as { items: Node[] };
	return items.find((item) => item.id === id);
};
const picture = await makePicture();
const blobIdOf = async (id: string) => (await getRow(deps, 'nodes', { id })).blob_id ?? '';
const expectConsistent = async () => expect((await checkIntegrity(deps)).problems).toEqual([]);

const getThumb = (id: string, headers?: Record<string, string>) =>
	member.call('GET', `/api/files/${id}/thumb`, undefined, headers);

async function thumbOf(id: string) {
	expect((await getThumb(id)).statusCode).toBe(404);
	await testApp.runDueWork();
	return getThumb(id);
}

describe('a thumbnail', () => {
	test('is made after it was first requested, with the right orientation, and the file list contains its URL', async () => {
		const rotated = await sharp(await makePicture('jpeg', 1200, 600))
			.withMetadata({ orientation: 6 })
			.toBuffer();
		const id = await add('photo.jpg', rotated, 'image/jpeg');
		expect((await find(id))?.thumb).toBe(`/api/files/${id}/thumb`);
		const response = await thumbOf(id);
		expect(response.headers).toMatchObject({ 'content-type': 'image/webp', 'cache-control': 'private, no-cache' });
		const { width, height, format, exif } = await sharp(response.rawPayload).metadata();
		expect({ width, height, format, exif }).toEqual({ width: 200, height: 400, format: 'webp', exif: undefined });
		expect((await find(id))?.thumb).toMatch(/\/thumb\?v=.+/u);
		expect((await getThumb(id, { 'if-none-match': String(response.headers.etag) })).statusCode).toBe(304);
		await expectConsistent();
	});

	test('is made by one job when it is queued several times', async () => {
		const id = await add('uploaded.png', picture, 'image/png');
		const blob = { id: await blobIdOf(id), contentType: 'image/png' };
		for (let i = 0; i < 3; i += 1) await queueThumbnail(deps, deps.db, blob);
		expect(await findRows(deps, 'jobs', { kind: 'thumbnail' })).toHaveLength(1);
		await testApp.runDueWork();
		expect((await getThumb(id)).statusCode).toBe(200);
	});

	test('is made of the first page of a PDF', async () => {
		const pdf = await readFile('demo/book/build-your-empire-part-1-hi.pdf');
		const response = await thumbOf(await add('book.pdf', pdf, 'application/pdf'));
		const { width, height } = await sharp(response.rawPayload).metadata();
		expect([width, height]).toEqual([266, 400]);
		// The image is neither blank nor black.
		const { channels } = await sharp(response.rawPayload).greyscale().stats();
		expect(channels[0]?.mean).toBeGreaterThan(200);
		expect(channels[0]?.min).toBeLessThan(80);
		await expectConsistent();
	});

	const none: Array<[string, () => Buffer | Promise<Buffer>, string]> = [
		['broken.pdf', () => Buffer.from('%PDF-1.7\nnothing of it is true'), 'application/pdf'],
		['torn.jpg', async () => (await makePicture('jpeg', 900, 900)).subarray(0, 700), 'image/jpeg'],
		['vast.png', () => makeHugePng(9000, 9000), 'image/png'],
		['page.jpg', () => Buffer.from('<html><script>alert(1)</script>'), 'image/jpeg'],
	];
	test.each(none)('is not made of %s, and there is only one attempt', async (name, bytes, contentType) => {
		const id = await add(name, await bytes(), contentType);
		expect((await thumbOf(id)).statusCode).toBe(404);
		expect((await find(id))?.thumb).toBeNull();
		const blob_id = await blobIdOf(id);
		expect(await findRows(deps, 'thumbnails', { blob_id })).toMatchObject([{ thumb_blob_id: null }]);
		expect(await findRows(deps, 'jobs')).toEqual([]);
	});

	test('is attempted again a few times when the stored bytes are missing', async () => {
		const [late, never] = [await add('late.png', picture, 'image/png'), await add('never.png', picture, 'image/png')];
		for (const id of [late, never]) {
			await deps.storage.remove([await storageKeyOfFile(deps, id)]);
			expect((await thumbOf(id)).statusCode).toBe(404);
			expect((await find(id))?.thumb).toBe(`/api/files/${id}/thumb`);
		}
		await deps.storage.put(await storageKeyOfFile(deps, late), picture);
		// A request does not bring the next attempt forward.
		expect((await thumbOf(late)).statusCode).toBe(404);
		testApp.clock.advance(61);
		await testApp.runDueWork();
		expect((await getThumb(late)).statusCode).toBe(200);
		for (const pause of [601, 3601]) {
			expect(await findRows(deps, 'jobs')).toHaveLength(1);
			testApp.clock.advance(pause);
			await testApp.runDueWork();
		}
		expect((await find(never))?.thumb).toBeNull();
		expect(await findRows(deps, 'jobs')).toEqual([]);
		await deps.storage.put(await storageKeyOfFile(deps, never), picture);
		await expectConsistent();
	});

	test('is made in a batch, in which a failure affects no other picture', async () => {
		const torn = (await makePicture('jpeg', 900, 900)).subarray(0, 700);
		const files = { unstored: picture, good: picture, torn, lost: picture };
		const ids: Record<string, string> = {};
		for (const [name, bytes] of Object.entries(files)) {
			ids[name] = await add(`${name}.png`, bytes, 'image/png');
			await queueThumbnail(deps, deps.db, { id: await blobIdOf(ids[name]), contentType: 'image/png' });
			testApp.clock.advance(1);
		}
		const statuses = () => Promise.all(Object.values(ids).map(async (id) => (await getThumb(id)).statusCode));
		const lostKey = await storageKeyOfFile(deps, ids.lost ?? '');
		await deps.storage.remove([lostKey]);
		const putMany: typeof deps.storage.putMany = async ([, ...rest]) => {
			return [{ status: 'rejected', reason: new Error('no space') }, ...(await deps.storage.putMany(rest))];
		};
		const failing = { ...deps, storage: { ...deps.storage, putMany } };
		expect(await runNextJob(failing, jobHandlers, 'pictures')).toBe(true);
		expect(await statuses()).toEqual([404, 200, 404, 404]);
		testApp.clock.advance(3);
		await testApp.runDueWork();
		expect(await statuses()).toEqual([200, 200, 404, 404]);
		expect(await findRows(deps, 'thumbnails', { blob_id: await blobIdOf(ids.torn ?? '') })).toHaveLength(1);
		await deps.storage.put(lostKey, picture);
		testApp.clock.advance(601);
		await testApp.runDueWork();
		expect(await statuses()).toEqual([200, 200, 404, 200]);
		expect(await findRows(deps, 'jobs')).toEqual([]);
		await expectConsistent();
	});

	test('is not queued for SVG, HEIC and text files, and not shown for an image whose name has another type', async () => {
		for (const [name, contentType] of [
			['drawing.svg', 'image/svg+xml'],
			['photo.heic', 'image/heic'],
			['words.txt', 'application/octet-stream'],
		] as const) {
			const id = await add(name, Buffer.from(name), contentType);
			expect((await find(id))?.thumb).toBeNull();
			expect((await getThumb(id)).statusCode).toBe(404);
		}
		expect(await findRows(deps, 'jobs')).toEqual([]);
		for (const name of ['a picture.txt', 'a picture.zip', 'a picture.docx'])
			expect(await find(await add(name, picture, 'image/png')), name).toMatchObject({ thumb: null, preview: null });
	});

	test('is deleted with the last copy of its file', async () => {
		const id = await add('twice.png', picture, 'image/png');
		await thumbOf(id);
		const blob_id = await blobIdOf(id);
		await admin.call('POST', '/api/nodes/copy', { ids: [id], owner: 'guest', path: '' });
		const { id: copyId } = await getRow(deps, 'nodes', { owner_id: 'guest', blob_id });
		const stored = async () => (await findRows(deps, 'blobs')).length;
		const before = await stored();
		for (const [which, owner, isKept] of [
			[id, email, true],
			[copyId, 'guest', false],
		] as const) {
			await admin.call('DELETE', `/api/nodes/${which}`);
			await admin.call('POST', `/api/spaces/${owner}/trash/empty`, {});
			await testApp.runDueWork();
			expect(await findRows(deps, 'thumbnails', { blob_id })).toHaveLength(isKept ? 1 : 0);
		}
		expect(await stored()).toBe(before - 2);
		testApp.clock.advance(2 * 24 * 3600);
		await collectGarbage(deps);
		await expectConsistent();
	});
});

describe('POST /api/files/:id/poster', () => {
	const send = (client: HttpClient, id: string, bytes: Buffer) =>
		postFile(client, `/api/files/${id}/poster`, 'frame.png', bytes);

	test('stores the image as WebP and replaces an earlier poster', async () => {
		const id = await add('film.mp4', Buffer.from('a film'), 'video/mp4');
		expect((await find(id))?.thumb).toBeNull();
		expect((await send(admin, id, await makePicture('png', 1280, 720))).statusCode).toBe(200);
		const first = (await find(id))?.thumb;
		const response = await member.call('GET', String(first));
		expect(await sharp(response.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 400, height: 225 });
		expect((await send(admin, id, await makePicture('jpeg'))).statusCode).toBe(200);
		expect((await find(id))?.thumb).not.toBe(first);
		await expectConsistent();
	});

	test('accepts only an image, for a video, from an admin', async () => {
		const film = await add('other.mp4', Buffer.from('another film'), 'video/mp4');
		const text = await add('no-film.txt', Buffer.from('text'), 'application/octet-stream');
		expect((await send(admin, film, Buffer.from('<svg onload="x"/>'))).json()).toMatchObject({ status: 422 });
		expect((await send(admin, film, Buffer.alloc(3 * 1024 * 1024))).statusCode).toBe(413);
		expect((await admin.call('POST', `/api/files/${film}/poster`, {})).statusCode).toBe(415);
		expect((await send(admin, text, picture)).statusCode).toBe(404);
		expect((await send(member, film, picture)).statusCode).toBe(403);
		expect((await find(film))?.thumb).toBeNull();
	});
});

describe('rendering the first page of a PDF', () => {
	/** Returns a PDF whose only page has this many megabytes after decompression. */
	function bomb(megabytes: number): Buffer {
		const plain = Buffer.alloc(megabytes * 1024 * 1024, 'q Q ');
		const content = deflateSync(plain, { level: 1 });
		const page = writePdf(['x']).toString('latin1');
		const at = page.indexOf('<</Length');
		const end = page.indexOf('endstream');
		return Buffer.concat([
			Buffer.from(`${page.slice(0, at)}<</Filter/FlateDecode/Length ${content.length}>>\nstream\n`, 'latin1'),
			content,
			Buffer.from(`\n${page.slice(end)}`, 'latin1'),
		]);
	}

	const generousLimits = { maxCpuMs: 60_000, maxElapsedMs: 150_000, maxMemoryBytes: 4e9 };

	async function draw(bytes: Buffer, bounds: Partial<ProcessLimits>, storage = deps.storage) {
		const storageKey = `files/test/${crypto.randomUUID()}`;
		await deps.storage.put(storageKey, bytes);
		const file = { storageKey, sizeBytes: bytes.length };
		const result = await drawFirstPage(storage, file, 400, { ...generousLimits, ...bounds }).then(
			() => 'drawn',
			(error: PdfError) => `${error.name}: ${error.message}, ${error.isTemporary ? 'temporary' : 'permanent'}`,
		);
		await deps.storage.remove([storageKey]);
		return result;
	}

	test('fails permanently after a timeout, and does not block the server meanwhile', async () => {
		const drawing = draw(bomb(64), { maxCpuMs: 500 });
		const health = await admin.call('GET', '/healthz');
		expect(health.statusCode).toBe(200);
		expect(await drawing).toBe('PdfError: takes too long, permanent');
	});

	test('fails temporarily when the bytes of the file do not arrive', async () => {
		const stuck = { ...deps.storage, read: () => new Promise<never>(() => {}) };
		expect(await draw(writePdf(['x']), { maxElapsedMs: 800 }, stuck)).toBe('PdfError: waits too long, temporary');
	});

	test('fails permanently when it needs too much memory', async () => {
		const result = await draw(bomb(64), { maxMemoryBytes: 90 * 1024 * 1024 });
		expect(result).toBe('PdfError: takes too much memory, permanent');
	});
});
