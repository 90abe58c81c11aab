import { expect, test } from 'vitest';
import { createFairLimiter } from './concurrency-limiter.ts';

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
