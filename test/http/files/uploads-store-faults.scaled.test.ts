import { createHash, randomBytes } from 'node:crypto';
import { afterAll, afterEach, expect, test } from 'vitest';
import { newId } from '#server/platform/ids.ts';
import type { RetryPolicy } from '#server/platform/storage/s3/s3-client.ts';
import { getRow } from '../../support/app/database-rows.ts';
import { createFaultyStorageApp, isServed } from '../../support/app/faulty-storage-app.ts';
import { beginUpload, sendChunk, tus } from '../../support/fixtures/uploads.ts';
import type { ProxyFault } from '../../support/services/faulty-proxy.ts';

const mebibyte = 1024 * 1024;
const retryPolicy: RetryPolicy = {
	connectTimeoutMs: 500,
	idleTimeoutMs: 700,
	serverCopyTimeoutMs: 3000,
	healthCheckTimeoutMs: 300,
	maxAttempts: 3,
	initialBackoffMs: 20,
};
/** Ends a test whose upload never finishes; a browser retries for a day. */
const triesMax = 200;

const faultyApp = await createFaultyStorageApp(retryPolicy);
afterEach(() => faultyApp.proxy.setFault({ kind: 'none' }));
afterAll(() => faultyApp.close());

async function begin(filename: string, sizeBytes: number): Promise<string> {
	const id = newId();
	const answer = await beginUpload(faultyApp.admin, { owner: 'guest', filename, id }, sizeBytes);
	expect(answer.statusCode).toBe(201);
	return `/api/uploads/${id}`;
}
const getOffset = (location: string) => faultyApp.admin.call('HEAD', location, undefined, tus);
const send = (location: string, bytes: Buffer, offset: number) => sendChunk(faultyApp.admin, location, offset, bytes);

/** Uploads in chunks; after each failure, reads the offset and continues there. @returns the number of failures */
async function sendWithRetries(location: string, bytes: Buffer, chunkBytes: number): Promise<number> {
	let confirmedBytes = 0;
	for (let failures = 0; failures < triesMax; ) {
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
	const { deps } = faultyApp.testApp;
	const blob = await getRow(deps, 'blobs', { id: (await getRow(deps, 'nodes', { name })).blob_id ?? '' });
	expect(blob.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
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

test.each(faults)('an upload arrives unchanged when the store %s', async (what, fault) => {
	const bytes = randomBytes(20 * mebibyte + 1);
	const location = await begin(`${what}.bin`, bytes.length);
	faultyApp.proxy.setFault(fault);
	await sendWithRetries(location, bytes, 3 * mebibyte);
	await expectFile(`${what}.bin`, bytes);
	await faultyApp.expectConsistent();
});

test('an upload arrives unchanged when the store fails at intervals', async () => {
	const bytes = randomBytes(20 * mebibyte + 1);
	const location = await begin('comes and goes.bin', bytes.length);
	const kinds: ProxyFault[] = [
		{ kind: 'refusal' },
		{ kind: 'none' },
		{ kind: 'status', status: 500 },
		{ kind: 'none' },
	];
	let faultIndex = 0;
	const timer = setInterval(() => {
		faultyApp.proxy.setFault(kinds[faultIndex % kinds.length] ?? { kind: 'none' });
		faultIndex += 1;
	}, 150);
	try {
		expect(await sendWithRetries(location, bytes, 3 * mebibyte)).toBeGreaterThan(0);
	} finally {
		clearInterval(timer);
	}
	await expectFile('comes and goes.bin', bytes);
	await faultyApp.expectConsistent();
});

test('an upload is refused while the store does not respond, keeps its offset, and continues afterwards', async () => {
	const bytes = randomBytes(9 * mebibyte);
	const location = await begin('waits.bin', bytes.length);
	expect((await send(location, bytes.subarray(0, mebibyte), 0)).statusCode).toBe(204);
	faultyApp.proxy.setFault({ kind: 'silence' });
	expect(isServed(await send(location, bytes.subarray(mebibyte), mebibyte))).toBe(false);
	expect((await getOffset(location)).headers['upload-offset']).toBe(String(mebibyte));
	faultyApp.proxy.setFault({ kind: 'none' });
	expect((await send(location, bytes.subarray(mebibyte), mebibyte)).statusCode).toBe(204);
	await expectFile('waits.bin', bytes);
	await faultyApp.expectConsistent();
});

test.each([1000, 9 * mebibyte])(
	'an upload of %i bytes becomes one file when the responses of the store are lost',
	async (sizeBytes) => {
		const bytes = randomBytes(sizeBytes);
		const location = await begin(`unheard ${sizeBytes}.bin`, bytes.length);
		faultyApp.proxy.setFault({ kind: 'lost-answer', method: sizeBytes === 1000 ? 'PUT' : 'POST', times: 30 });
		expect((await send(location, bytes, 0)).statusCode).toBe(503);
		faultyApp.proxy.setFault({ kind: 'none' });
		await sendWithRetries(location, bytes, bytes.length);
		await expectFile(`unheard ${sizeBytes}.bin`, bytes);
		await faultyApp.expectConsistent();
	},
);
