import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { listen } from '../../support/app/event-streams.ts';
import { isServed, openFaultyStorageApp } from '../../support/app/faulty-storage-app.ts';
import { getBlobOfFile, sha256Of } from '../../support/app/stored-objects.ts';
import { beginUpload, sendChunk, sendFirstBytes, tus } from '../../support/fixtures/uploads.ts';
import type { ProxyFault } from '../../support/services/faulty-proxy.ts';

const mebibyte = 1024 * 1024;
/** A test gives up after this number of failed requests. A browser would retry for a day. */
const triesMax = 200;

const faultyApp = await openFaultyStorageApp();

async function begin(filename: string, sizeBytes: number) {
	const answer = await beginUpload(faultyApp.admin, { owner: 'guest', filename }, sizeBytes);
	expect(answer.statusCode).toBe(201);
	return { location: String(answer.headers.location), bytes: randomBytes(sizeBytes) };
}
const getOffset = (location: string) => faultyApp.admin.call('HEAD', location, undefined, tus);
const send = (location: string, bytes: Buffer, offset: number) => sendChunk(faultyApp.admin, location, offset, bytes);

/**
 * Uploads in chunks, and reads the offset before each chunk. @param prepare is called before each attempt
 * @returns the number of failed requests
 */
async function sendWithRetries(
	location: string,
	bytes: Buffer,
	chunkBytes: number,
	prepare: (attempt: number) => void = () => {},
): Promise<number> {
	let confirmedBytes = 0;
	let failures = 0;
	for (let attempt = 0; failures < triesMax; attempt += 1) {
		prepare(attempt);
		const current = await getOffset(location);
		if (current.statusCode !== 200) {
			failures += 1;
			continue;
		}
		const offset = Number(current.headers['upload-offset']);
		expect(offset, 'confirmed bytes are not lost').toBeGreaterThanOrEqual(confirmedBytes);
		if (offset === bytes.length) return failures;
		const answer = await send(location, bytes.subarray(offset, offset + chunkBytes), offset);
		if (answer.statusCode === 204) confirmedBytes = Number(answer.headers['upload-offset']);
		else failures += 1;
	}
	throw new Error('The upload did not finish.');
}

async function expectFile(name: string, bytes: Buffer): Promise<void> {
	expect((await getBlobOfFile(faultyApp.testApp.deps, { name })).sha256).toBe(sha256Of(bytes));
}

const faults: Array<[string, ProxyFault]> = [
	['responds with 503 to every second request', { kind: 'status', status: 503, every: 2 }],
	['stores parts, but its responses are lost', { kind: 'lost-answer', method: 'PUT', times: 7 }],
	[
		'starts and completes multipart uploads, but its responses are lost',
		{ kind: 'lost-answer', method: 'POST', times: 5 },
	],
	['sends incomplete response bodies', { kind: 'cut', afterBytes: 100_000, times: 7 }],
];

test.each(faults)('an upload is stored unchanged when the store %s', async (what, fault) => {
	const { location, bytes } = await begin(`${what}.bin`, 20 * mebibyte + 1);
	faultyApp.proxy.setFault(fault);
	await sendWithRetries(location, bytes, 3 * mebibyte);
	await expectFile(`${what}.bin`, bytes);
	await faultyApp.expectConsistent();
});

test('an upload is stored unchanged when the store fails at intervals', async () => {
	const { location, bytes } = await begin('comes and goes.bin', 20 * mebibyte + 1);
	const kinds: ProxyFault[] = [
		{ kind: 'refusal' },
		{ kind: 'none' },
		{ kind: 'status', status: 500 },
		{ kind: 'none' },
	];
	const changeFault = (attempt: number) => faultyApp.proxy.setFault(kinds[attempt % kinds.length] ?? { kind: 'none' });
	expect(await sendWithRetries(location, bytes, 3 * mebibyte, changeFault)).toBeGreaterThan(0);
	await faultyApp.recover();
	await expectFile('comes and goes.bin', bytes);
	await faultyApp.expectConsistent();
});

test('an upload keeps its offset while the store does not respond, and continues afterwards', async () => {
	const { location, bytes } = await begin('waits.bin', 9 * mebibyte);
	expect((await send(location, bytes.subarray(0, mebibyte), 0)).statusCode).toBe(204);
	faultyApp.proxy.setFault({ kind: 'silence' });
	expect(isServed(await send(location, bytes.subarray(mebibyte), mebibyte))).toBe(false);
	expect((await getOffset(location)).headers['upload-offset']).toBe(String(mebibyte));
	await faultyApp.recover();
	expect((await send(location, bytes.subarray(mebibyte), mebibyte)).statusCode).toBe(204);
	await expectFile('waits.bin', bytes);
	await faultyApp.expectConsistent();
});

test('a chunk that the store refuses is answered with 503, whether or not all of its bytes have arrived', async () => {
	const url = await listen(faultyApp.testApp.app);
	for (const arrivedBytes of [9 * mebibyte, 20 * mebibyte]) {
		const { location, bytes } = await begin(`refused after ${arrivedBytes}.bin`, 20 * mebibyte);
		faultyApp.proxy.setFault({ kind: 'status', status: 503 });
		const { status } = sendFirstBytes(url, faultyApp.admin, location, bytes.subarray(0, arrivedBytes), bytes.length);
		expect(await status).toBe(503);
		await faultyApp.recover();
		expect((await getOffset(location)).headers['upload-offset']).toBe('0');
	}
});

test.each([1000, 9 * mebibyte])(
	'an upload of %i bytes becomes one file when the responses of the store are lost',
	async (sizeBytes) => {
		const { location, bytes } = await begin(`unheard ${sizeBytes}.bin`, sizeBytes);
		faultyApp.proxy.setFault({ kind: 'lost-answer', method: sizeBytes === 1000 ? 'PUT' : 'POST', times: 30 });
		expect((await send(location, bytes, 0)).statusCode).toBe(503);
		await faultyApp.recover();
		await sendWithRetries(location, bytes, bytes.length);
		await expectFile(`unheard ${sizeBytes}.bin`, bytes);
		await faultyApp.expectConsistent();
	},
);
