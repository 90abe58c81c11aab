import { PassThrough, Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { readWithIdleTicks } from './multipart-upload-storage.ts';

test('readWithIdleTicks yields bytes as they arrive and null while none arrive', async () => {
	const source = new PassThrough();
	const pieces = readWithIdleTicks(source, 20);
	source.write('first');
	expect((await pieces.next()).value?.toString()).toBe('first');
	expect(await pieces.next()).toEqual({ done: false, value: null });
	expect(await pieces.next()).toEqual({ done: false, value: null });
	source.end('last');
	let last = await pieces.next();
	while (last.value === null) last = await pieces.next();
	expect(last.value?.toString()).toBe('last');
	expect((await pieces.next()).done).toBe(true);
	expect(source.destroyed).toBe(true);
});

test('readWithIdleTicks yields the received bytes and then throws the error of the stream', async () => {
	const pieces = readWithIdleTicks(Readable.from(brokenOff()), 1000);
	expect((await pieces.next()).value?.toString()).toBe('half');
	await expect(pieces.next()).rejects.toThrow('broken');
});

test('readWithIdleTicks destroys the stream when the reader stops while waiting', async () => {
	const source = new PassThrough();
	const pieces = readWithIdleTicks(source, 20);
	expect(await pieces.next()).toEqual({ done: false, value: null });
	await pieces.return(undefined);
	expect(source.destroyed).toBe(true);
});

async function* brokenOff(): AsyncGenerator<Buffer> {
	yield Buffer.from('half');
	throw new Error('broken');
}
