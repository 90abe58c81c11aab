import { expect, test } from 'vitest';
import { createFairLimiter, createKeyedSemaphore } from './concurrency-limiter.ts';

test('createFairLimiter alternates between senders and runs at most one task at a time', async () => {
	const limiter = createFairLimiter(1);
	const done: string[] = [];
	let running = 0;
	const send = (task: string) =>
		limiter.run(task.charAt(0), async () => {
			running += 1;
			expect(running).toBe(1);
			await Promise.resolve();
			done.push(task);
			running -= 1;
		});
	await Promise.all(['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map(send));
	expect(done).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
});

test('createFairLimiter starts the next task after one has failed', async () => {
	const limiter = createFairLimiter(1);
	const failed = limiter.run('a', () => Promise.reject(new Error('task failed')));
	const next = limiter.run('b', () => Promise.resolve('done'));
	await expect(failed).rejects.toThrow('task failed');
	expect(await next).toBe('done');
	expect(await limiter.run('a', () => Promise.resolve('again'))).toBe('again');
});

test('createKeyedSemaphore grants a fixed number of slots per key and frees a slot only once', () => {
	const semaphore = createKeyedSemaphore(2);
	const first = semaphore.tryAcquire('a');
	expect(semaphore.tryAcquire('a')).not.toBeNull();
	expect(semaphore.tryAcquire('a')).toBeNull();
	expect(semaphore.tryAcquire('b')).not.toBeNull();
	first?.();
	first?.();
	expect(semaphore.tryAcquire('a')).not.toBeNull();
	expect(semaphore.tryAcquire('a')).toBeNull();
});
