import { describe, expect, test } from 'vitest';
import type { Lesson } from '#contract/course/course.ts';
import type { Node } from '#contract/files/files.ts';
import { jobHandlers } from '#server/job-handlers.ts';
import { up } from '#server/platform/database/migrations/steps/0019-redetect-content-types.ts';
import { runNextJob } from '#server/platform/jobs/jobs.ts';
import { findRows } from '../../support/app/database-rows.ts';
import { type HttpClient, postFile } from '../../support/app/http-client.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { getBlobOfFile } from '../../support/app/stored-objects.ts';
import { makeSignedInUser } from '../../support/app/users.ts';
import { audioRecordings, containerRecordings, prefixPdf, readRecording } from '../../support/documents/recordings.ts';
import { paintPicture, writePdf } from '../../support/documents/sample-files.ts';
import { sendChatFile } from '../../support/fixtures/chat.ts';
import { makeFile } from '../../support/fixtures/files.ts';
import { beginUpload } from '../../support/fixtures/uploads.ts';

// The factor raises the chat limits, because one member sends many files in these tests.
const { testApp, deps, admin } = await openTestApp({ RATE_LIMIT_FACTOR: '1000' });
const email = 'listener@example.com';
const { client: member, id: memberId } = await makeSignedInUser(testApp, email);

let count = 0;

async function upload(name: string, bytes: Buffer, owner = email): Promise<Node> {
	count += 1;
	const folder = (await admin.call('POST', `/api/spaces/${owner}/folders`, { path: '', name: `${count}` })).json();
	const metadata = { owner, path: folder.realPath, filename: name };
	expect((await beginUpload(admin, metadata, bytes.length, bytes)).statusCode).toBe(201);
	return (await admin.call('GET', `/api/spaces/${owner}/nodes?path=${folder.realPath}`)).json().items[0];
}

const safe = { 'x-content-type-options': 'nosniff', 'content-security-policy': expect.stringContaining('sandbox') };

/** Reads an inline file completely, with HEAD, with ranges and as a download. @returns the content type */
async function readInline(client: HttpClient, url: string, bytes: Buffer): Promise<string> {
	const whole = await client.call('GET', url);
	expect([whole.statusCode, whole.headers['content-disposition']]).toEqual([200, undefined]);
	expect(whole.headers).toMatchObject({ ...safe, 'accept-ranges': 'bytes' });
	expect(whole.rawPayload).toEqual(bytes);
	const type = String(whole.headers['content-type']);
	const head = await client.call('HEAD', url);
	expect(head.headers).toMatchObject({ ...safe, 'content-type': type, 'content-length': String(bytes.length) });
	const part = await client.call('GET', url, undefined, { range: 'bytes=1000-1999' });
	expect([part.statusCode, part.headers['content-type']]).toEqual([206, type]);
	expect(part.headers['content-range']).toBe(`bytes 1000-1999/${bytes.length}`);
	expect(part.rawPayload).toEqual(bytes.subarray(1000, 2000));
	const end = await client.call('GET', url, undefined, { range: 'bytes=-100' });
	expect([end.statusCode, end.rawPayload]).toEqual([206, bytes.subarray(-100)]);
	await readSaved(client, `${url}?download=1`, bytes, 'application/octet-stream');
	return type;
}

/** Checks that the URL returns the bytes as an attachment, with and without a range. */
async function readSaved(client: HttpClient, url: string, bytes: Buffer, type: string): Promise<void> {
	for (const range of [undefined, 'bytes=0-5']) {
		const answer = await client.call('GET', url, undefined, range === undefined ? {} : { range });
		expect(answer.headers).toMatchObject({ ...safe, 'content-type': type });
		expect(answer.headers['content-disposition']).toMatch(/^attachment/u);
		expect(answer.rawPayload).toEqual(range === undefined ? bytes : bytes.subarray(0, 6));
	}
}

describe('a recording', () => {
	test.each(containerRecordings)('%s is returned inline from a space, as a lesson and in the chat', async (name) => {
		const bytes = readRecording(name);
		const kind = name.endsWith('.m4a') ? 'audio' : 'video';
		const file = await upload(name, bytes, 'admin@example.com');
		expect(file).toMatchObject({ name, preview: kind, thumb: null });
		expect(await readInline(admin, String(file.url), bytes)).toMatch(new RegExp(`^${kind}/`, 'u'));
		expect((await admin.call('POST', '/api/shares', { nodeId: file.id, email })).statusCode).toBe(200);
		const { lessons } = (await member.call('GET', `/api/course/modules/${file.id}`)).json() as { lessons: Lesson[] };
		expect(lessons.map(({ node }) => [node.name, node.preview])).toEqual([[name, kind]]);
		await readInline(member, String(file.url), bytes);
		const sent = (await sendChatFile(member, memberId, { name, bytes })).json();
		expect(await readInline(admin, sent.message, bytes)).toMatch(new RegExp(`^${kind}/`, 'u'));
	});

	test.each(audioRecordings)('%s is returned inline as %s', async (name, type) => {
		const bytes = readRecording(name);
		const file = await upload(name, bytes);
		expect(file.preview).toBe('audio');
		expect(await readInline(admin, String(file.url), bytes)).toBe(type);
		const sent = (await sendChatFile(member, memberId, { name, bytes })).json();
		expect([sent.fileType, await readInline(admin, sent.message, bytes)]).toEqual([type, type]);
	});

	test('has the type audio or video depending on its name, and only videos accept a poster', async () => {
		const film = readRecording('video.mp4');
		const frame = await paintPicture();
		for (const [name, bytes, preview] of [
			['film.m4a', film, 'audio'],
			['video.mp4', film, 'video'],
			['film.mov', film, 'video'],
			['recording.mp4', readRecording('m4a.mp4'), 'video'],
		] as const) {
			const file = await upload(name, bytes);
			expect([name, file.preview]).toEqual([name, preview]);
			const poster = await postFile(admin, `/api/files/${file.id}/poster`, 'f.png', frame);
			expect(poster.statusCode).toBe(preview === 'video' ? 200 : 404);
		}
	});
});

describe('a file with misleading content', () => {
	const page = '<!doctype html><script>alert(1)</script>';
	const plain = 'application/octet-stream';
	test.each([
		['page.m4a', Buffer.from(page), null, plain],
		['page.mp3', Buffer.concat([Buffer.alloc(40), Buffer.from(page)]), null, plain],
		['drawing.m4a', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'), null, plain],
		['picture.m4a', Buffer.from('GIF89a/*'), null, plain],
		['paper.m4a', writePdf(['a page']), null, plain],
		['page.html', readRecording('mp42.m4a'), null, plain],
		['page.svg', prefixPdf(Buffer.from(page)), null, plain],
		['page.txt', prefixPdf(Buffer.from(page)), null, plain],
		// The next two files begin like recordings. Their audio types prevent browsers from running the page in them.
		['both.m4a', Buffer.concat([Buffer.from('<!--ftypmp42-->'), Buffer.from(page)]), 'audio', 'audio/mp4'],
		['tagged.mp3', Buffer.concat([Buffer.from('ID3<html>'), Buffer.from(page)]), 'audio', 'audio/mpeg'],
		['paper.pdf', Buffer.from(`${page}%PDF-1.7`), 'pdf', 'application/pdf'],
	])('%s is returned as an attachment or with a type that browsers do not run', async (name, bytes, preview, type) => {
		const file = await upload(name, bytes);
		expect(file.preview).toBe(preview);
		const sent = (await sendChatFile(member, memberId, { name, bytes })).json();
		for (const url of [String(file.url), String(sent.message)]) {
			if (preview === 'audio') {
				const answer = await admin.call('GET', url);
				expect(answer.headers).toMatchObject({ ...safe, 'content-type': type });
				expect(answer.rawPayload).toEqual(bytes);
			} else await readSaved(admin, url, bytes, type);
			await readSaved(admin, `${url}?download=1`, bytes, plain);
		}
	});
});

describe('migration 0019', () => {
	const files = [
		['voice.mp3', Buffer.concat([Buffer.alloc(417), readRecording('plain.mp3')]), 'audio/mpeg', 'audio'],
		['paper.pdf', prefixPdf(Buffer.from('\r\n')), 'application/pdf', 'pdf'],
		['notes.txt', Buffer.from('notes'), 'application/octet-stream', null],
	] as const;

	test('detects the types of stored files and messages again, except of files without stored bytes', async () => {
		const made: Array<{ id: string; message: { id: string } }> = [];
		for (const [name, bytes] of files) {
			const id = await makeFile(deps, { ownerId: memberId, name, bytes });
			made.push({ id, message: (await sendChatFile(member, memberId, { name, bytes })).json() });
		}
		const gone = await makeFile(deps, { ownerId: memberId, name: 'gone.mp3', bytes: files[0][1] });
		await deps.storage.remove([(await getBlobOfFile(deps, { id: gone })).storage_key]);
		const plain = 'application/octet-stream';
		await deps.db.updateTable('messages').set({ file_type: plain }).where('blob_id', 'is not', null).execute();
		await deps.db.updateTable('blobs').set({ content_type: plain }).execute();
		await up(deps.db as never);
		let steps = 0;
		while (await runNextJob(deps, jobHandlers, 'upkeep')) steps += 1;
		expect(steps).toBeGreaterThan(1);
		expect(await findRows(deps, 'jobs', { kind: 'sniff-again' })).toEqual([]);
		for (const [i, [, , type, preview]] of files.entries()) {
			const { id, message } = made[i] ?? { id: '', message: { id: '' } };
			expect((await getBlobOfFile(deps, { id })).content_type).toBe(type);
			expect((await admin.call('GET', `/api/files/${id}`)).json().file.preview).toBe(preview);
			expect(await findRows(deps, 'messages', { id: message.id })).toMatchObject([{ file_type: type }]);
		}
		expect((await getBlobOfFile(deps, { id: gone })).content_type).toBe(plain);
	});

	test('queues no job when no file has the type application/octet-stream', async () => {
		await deps.db.updateTable('blobs').set({ content_type: 'image/png' }).execute();
		await up(deps.db as never);
		expect(await findRows(deps, 'jobs', { kind: 'sniff-again' })).toEqual([]);
	});
});
