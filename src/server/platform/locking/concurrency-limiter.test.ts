import { expect, test } from 'vitest';
import { createFairLimiter, createKeyedSemaphore } from './concurrency-limiter.ts';

test('createFairLimiter alternates between senders and runs one task at a time', async () => {
	const turns = createFairLimiter(1);
	const done: string[] = [];
	let running = 0;
	const send = (sender: string, piece: string) =>
		turns.run(sender, async () => {
			running += 1;
			expect(running).toBe(1);
			await Promise.resolve();
			done.push(piece);
			running -= 1;
		});
	await Promise.all([
		send('a', 'a1'),
		send('a', 'a2'),
		send('a', 'a3'),
		send('b', 'b1'),
		send('b', 'b2'),
		send('c', 'c1'),
	]);
	expect(done).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
});

test('createFairLimiter starts the next task after one has failed', async () => {
	const turns = createFairLimiter(1);
	const failed = turns.run('a', () => Promise.reject(new Error('a fault')));
	const next = turns.run('b', () => Promise.resolve('done'));
	await expect(failed).rejects.toThrow('a fault');
	expect(await next).toBe('done');
	expect(await turns.run('a', () => Promise.resolve('again'))).toBe('again');
});

test('createKeyedSemaphore grants a fixed number of slots per key and frees a slot only once', () => {
	const places = createKeyedSemaphore(2);
	const first = places.tryAcquire('a');
	expect(places.tryAcquire('a')).not.toBeNull();
	expect(places.tryAcquire('a')).toBeNull();
	expect(places.tryAcquire('b')).not.toBeNull();
	first?.();
	first?.();
	expect(places.tryAcquire('a')).not.toBeNull();
	expect(places.tryAcquire('a')).toBeNull();
});
