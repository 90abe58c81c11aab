import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readlink } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { listen } from '../../support/app/event-streams.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { storageKeyOfFile } from '../../support/app/stored-objects.ts';
import { makeFile } from '../../support/fixtures/files.ts';
import { testStorage } from '../../support/services/test-storage.ts';

const { testApp, deps, admin } = await openTestApp();
const url = await listen(testApp.app);
const sizeBytes = 3_000_001;
const files = await Promise.all(
	Array.from({ length: 5 }, async (_, number) => {
		const bytes = randomBytes(sizeBytes);
		const id = await makeFile(deps, { ownerId: 'guest', name: `${number}.bin`, bytes });
		return { bytes, path: `/api/files/${id}/content` };
	}),
);
const headers = { cookie: admin.cookie() };
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Lists the files of the storage that this process has open. */
async function listOpenFiles(): Promise<string[]> {
	const links = await Promise.all(
		(await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
	);
	return links.filter((path) => path.startsWith(join(deps.config.DATA_DIR, 'storage')));
}

/** Downloads a file or a part of it; with `isAborted` disconnects after the first bytes. @returns the SHA-256 */
async function download(path: string, range: string | null, isAborted: boolean): Promise<string | null> {
	const [response] = (await once(
		get(url + path, { headers: { ...headers, ...(range !== null && { range }) } }),
		'response',
	)) as [IncomingMessage];
	const hash = createHash('sha256');
	response.on('error', () => {});
	for await (const chunk of response) {
		hash.update(chunk);
		if (isAborted) return null;
		// Slower than the server, so that all responses are sent at the same time.
		await sleep(1);
	}
	return hash.digest('hex');
}

test('sends the right bytes in 60 concurrent downloads, a third of which the clients abort', async () => {
	const downloads = Array.from({ length: 60 }, async (_, number) => {
		const { bytes, path } = files[number % files.length] ?? { bytes: Buffer.alloc(0), path: '' };
		const [start, end] = [number * 1000, sizeBytes - 1 - number];
		const range = number % 2 === 0 ? null : `bytes=${start}-${end}`;
		const isAborted = number % 3 === 0;
		const expected = hashOf(range === null ? bytes : bytes.subarray(start, end + 1));
		expect(await download(path, range, isAborted)).toBe(isAborted ? null : expected);
	});
	await Promise.all(downloads);
	await expect.poll(() => deps.live.count()).toBe(0);
	await expect.poll(listOpenFiles).toEqual([]);
});

/** Requests two files at once on one connection. */
function pipeline(first: string, second: string): Socket {
	const socket = connect(Number(new URL(url).port), '127.0.0.1');
	const request = (path: string, more: string) =>
		`GET ${path} HTTP/1.1\r\nhost: folio.test\r\ncookie: ${headers.cookie}\r\n${more}\r\n`;
	socket.write(request(first, '') + request(second, 'connection: close\r\n'));
	return socket;
}

test('releases the second of two pipelined requests when the client disconnects during the first', async () => {
	// Too large for the buffers of the connection, so that the first response waits for its reader.
	const id = await makeFile(deps, { ownerId: 'guest', name: 'large.bin', bytes: Buffer.alloc(32_000_000) });
	const socket = pipeline(`/api/files/${id}/content`, files[0]?.path ?? '');
	await expect.poll(() => deps.live.count()).toBe(2);
	socket.destroy();
	await expect.poll(() => deps.live.count()).toBe(0);
	await expect.poll(listOpenFiles).toEqual([]);
});

test('ends the download of a file of which less is stored than its row says, and logs it', async () => {
	const bytes = randomBytes(sizeBytes);
	const id = await makeFile(deps, { ownerId: 'guest', name: 'short.bin', bytes });
	await deps.storage.put(await storageKeyOfFile(deps, id), bytes.subarray(0, 2_000_000));
	const error = vi.spyOn(deps.log, 'error');
	for (const range of ['', 'bytes=1000000-']) {
		const request = get(`${url}/api/files/${id}/content`, { headers: { ...headers, ...(range !== '' && { range }) } });
		const [response] = (await once(request, 'response')) as [IncomingMessage];
		const isComplete = await buffer(response).then(
			() => true,
			() => false,
		);
		// An object store tells the size before the response begins.
		if (testStorage === 'disk') expect(isComplete).toBe(false);
		else expect(response.statusCode).toBe(500);
	}
	expect(error).toHaveBeenCalledTimes(2);
	error.mockRestore();
	await expect.poll(() => deps.live.count()).toBe(0);
});

test('sends the responses of two pipelined requests one after the other', async () => {
	const [first, second] = files;
	const received = await buffer(pipeline(first?.path ?? '', second?.path ?? ''));
	const firstStart = received.indexOf('\r\n\r\n') + 4;
	const secondStart = received.indexOf('\r\n\r\n', firstStart + sizeBytes) + 4;
	expect(hashOf(received.subarray(firstStart, firstStart + sizeBytes))).toBe(hashOf(first?.bytes ?? Buffer.alloc(0)));
	expect(hashOf(received.subarray(secondStart))).toBe(hashOf(second?.bytes ?? Buffer.alloc(0)));
});
