import { PassThrough, Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { readWithIdleTicks } from './multipart-upload-storage.ts';

test('bytes come as they are sent, and null while none come', async () => {
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

test('a line that breaks is an error behind what has come', async () => {
	const pieces = readWithIdleTicks(Readable.from(brokenOff()), 1000);
	expect((await pieces.next()).value?.toString()).toBe('half');
	await expect(pieces.next()).rejects.toThrow('broken');
});

test('who stops in the middle of waiting closes the stream', async () => {
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
