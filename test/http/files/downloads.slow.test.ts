import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readlink } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { listen } from '../../support/app/event-streams.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { makeFile } from '../../support/fixtures/files.ts';

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

test('sends 60 downloads at the same time with the right bytes, of which clients abort a third', async () => {
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

test('sends the responses of two pipelined requests one after the other', async () => {
	const socket = connect(Number(new URL(url).port), '127.0.0.1');
	const request = (path: string, more: string) =>
		`GET ${path} HTTP/1.1\r\nhost: folio.test\r\ncookie: ${headers.cookie}\r\n${more}\r\n`;
	const [first, second] = files;
	socket.write(request(first?.path ?? '', '') + request(second?.path ?? '', 'connection: close\r\n'));
	const received = await buffer(socket);
	const firstStart = received.indexOf('\r\n\r\n') + 4;
	const secondStart = received.indexOf('\r\n\r\n', firstStart + sizeBytes) + 4;
	expect(hashOf(received.subarray(firstStart, firstStart + sizeBytes))).toBe(hashOf(first?.bytes ?? Buffer.alloc(0)));
	expect(hashOf(received.subarray(secondStart))).toBe(hashOf(second?.bytes ?? Buffer.alloc(0)));
});
