import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createByteSemaphore, createFairLimiter, createKeyedSemaphore } from './concurrency-limiter.ts';

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

test('createFairLimiter starts the next task after a failed task', async () => {
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

test('createByteSemaphore grants requests in order, within the total', async () => {
	const semaphore = createByteSemaphore(10);
	const granted: string[] = [];
	const acquire = (name: string, bytes: number) => semaphore.acquire(bytes).then(() => granted.push(name));
	await acquire('a', 6);
	await acquire('b', 4);
	expect(semaphore.hasWaiters()).toBe(false);
	void acquire('c', 5);
	void acquire('d', 1);
	await turn();
	expect(granted).toEqual(['a', 'b']);
	expect(semaphore.hasWaiters()).toBe(true);
	semaphore.release(4);
	await turn();
	expect(granted, 'the small request does not overtake the larger one').toEqual(['a', 'b']);
	semaphore.release(6);
	await turn();
	expect(granted).toEqual(['a', 'b', 'c', 'd']);
	expect(semaphore.hasWaiters()).toBe(false);
});

test('createByteSemaphore grants a request above the total only when no other bytes are in use', async () => {
	const semaphore = createByteSemaphore(10);
	let isGranted = false;
	await semaphore.acquire(1);
	void semaphore.acquire(11).then(() => {
		isGranted = true;
	});
	await turn();
	expect(isGranted).toBe(false);
	semaphore.release(1);
	await turn();
	expect(isGranted).toBe(true);
});
