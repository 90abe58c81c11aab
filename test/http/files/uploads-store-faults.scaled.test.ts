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
/** A browser tries for a day. This number only ends a test whose upload never finishes. */
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
const ask = (location: string) => faultyApp.admin.call('HEAD', location, undefined, tus);
const send = (location: string, bytes: Buffer, offset: number) => sendChunk(faultyApp.admin, location, offset, bytes);

/**
 * Uploads as a browser does, which asks for the offset after each failure and continues there. @returns the number of
 * failures
 */
async function sendWithRetries(location: string, bytes: Buffer, chunkBytes: number): Promise<number> {
	let told = 0;
	for (let failures = 0; failures < triesMax; ) {
		const asked = await ask(location);
		if (asked.statusCode !== 200) {
			failures += 1;
			continue;
		}
		const offset = Number(asked.headers['upload-offset']);
		expect(offset, 'what was told of is there').toBeGreaterThanOrEqual(told);
		if (offset === bytes.length) return failures;
		const answer = await send(location, bytes.subarray(offset, offset + chunkBytes), offset);
		if (answer.statusCode === 204) told = Number(answer.headers['upload-offset']);
		else failures += 1;
	}
	throw new Error('The upload never came to an end.');
}

async function expectFile(name: string, bytes: Buffer): Promise<void> {
	const { deps } = faultyApp.world;
	const blob = await getRow(deps, 'blobs', { id: (await getRow(deps, 'nodes', { name })).blob_id ?? '' });
	expect(blob.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
}

const faults: Array<[string, ProxyFault]> = [
	['answers 503 every second time', { kind: 'status', status: 503, every: 2 }],
	['is not heard when it has taken a part or a tail', { kind: 'lost-answer', method: 'PUT', times: 7 }],
	['is not heard when it has begun the parts or put them together', { kind: 'lost-answer', method: 'POST', times: 5 }],
	['breaks off what it gives back', { kind: 'cut', afterBytes: 100_000, times: 7 }],
];

test.each(faults)('an upload arrives byte for byte although the store %s', async (what, fault) => {
	const bytes = randomBytes(20 * mebibyte + 1);
	const location = await begin(`${what}.bin`, bytes.length);
	faultyApp.proxy.setFault(fault);
	await sendWithRetries(location, bytes, 3 * mebibyte);
	await expectFile(`${what}.bin`, bytes);
	await faultyApp.expectConsistent();
});

test('an upload arrives byte for byte although the store fails at intervals', async () => {
	const bytes = randomBytes(20 * mebibyte + 1);
	const location = await begin('comes and goes.bin', bytes.length);
	const kinds: ProxyFault[] = [
		{ kind: 'refusal' },
		{ kind: 'none' },
		{ kind: 'status', status: 500 },
		{ kind: 'none' },
	];
	let turn = 0;
	const timer = setInterval(() => {
		faultyApp.proxy.setFault(kinds[turn % kinds.length] ?? { kind: 'none' });
		turn += 1;
	}, 150);
	try {
		expect(await sendWithRetries(location, bytes, 3 * mebibyte)).toBeGreaterThan(0);
	} finally {
		clearInterval(timer);
	}
	await expectFile('comes and goes.bin', bytes);
	await faultyApp.expectConsistent();
});

test('an upload is refused while the store does not answer, keeps its offset, and continues afterwards', async () => {
	const bytes = randomBytes(9 * mebibyte);
	const location = await begin('waits.bin', bytes.length);
	expect((await send(location, bytes.subarray(0, mebibyte), 0)).statusCode).toBe(204);
	faultyApp.proxy.setFault({ kind: 'silence' });
	expect(isServed(await send(location, bytes.subarray(mebibyte), mebibyte))).toBe(false);
	expect((await ask(location)).headers['upload-offset']).toBe(String(mebibyte));
	faultyApp.proxy.setFault({ kind: 'none' });
	expect((await send(location, bytes.subarray(mebibyte), mebibyte)).statusCode).toBe(204);
	await expectFile('waits.bin', bytes);
	await faultyApp.expectConsistent();
});

test.each([1000, 9 * mebibyte])(
	'an upload of %i bytes becomes one file although the answers of the store were lost',
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
