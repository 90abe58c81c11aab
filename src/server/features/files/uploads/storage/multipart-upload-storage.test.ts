import { PassThrough, Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { readWithIdleTicks } from './multipart-upload-storage.ts';

test('readWithIdleTicks yields bytes as they arrive and null while none arrive', async () => {
	const source = new PassThrough();
	const chunks = readWithIdleTicks(source, 20);
	source.write('first');
	expect((await chunks.next()).value?.toString()).toBe('first');
	expect(await chunks.next()).toEqual({ done: false, value: null });
	expect(await chunks.next()).toEqual({ done: false, value: null });
	source.end('last');
	let last = await chunks.next();
	while (last.value === null) last = await chunks.next();
	expect(last.value?.toString()).toBe('last');
	expect((await chunks.next()).done).toBe(true);
	expect(source.destroyed).toBe(true);
});

test('readWithIdleTicks yields the received bytes and then throws the error of the stream', async () => {
	const chunks = readWithIdleTicks(Readable.from(failAfterHalf()), 1000);
	expect((await chunks.next()).value?.toString()).toBe('half');
	await expect(chunks.next()).rejects.toThrow('broken');
});

test('readWithIdleTicks destroys the stream when the reader stops while waiting', async () => {
	const source = new PassThrough();
	const chunks = readWithIdleTicks(source, 20);
	expect(await chunks.next()).toEqual({ done: false, value: null });
	await chunks.return(undefined);
	expect(source.destroyed).toBe(true);
});

async function* failAfterHalf(): AsyncGenerator<Buffer> {
	yield Buffer.from('half');
	throw new Error('broken');
}
