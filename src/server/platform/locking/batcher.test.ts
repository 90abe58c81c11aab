import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createBatcher } from './batcher.ts';

test('createBatcher makes batches of the items that arrive while a batch runs, and rejects only items with errors', async () => {
	const batches: string[][] = [];
	const store = createBatcher({ maxItems: 3, gatherMs: 1 }, async (items: string[]) => {
		batches.push(items);
		await sleep(20);
		if (items.includes('all fail')) throw new Error('no batch');
		return new Map<string, Error>(
			items.flatMap((item) => (item === 'refused' ? [[item, new Error('not this one')] as const] : [])),
		);
	});
	const outcomes = (items: string[]) =>
		Promise.all(
			items.map((item) =>
				store(item).then(
					() => 'done',
					(error: Error) => error.message,
				),
			),
		);
	const first = outcomes(['a']);
	await sleep(10);
	expect(await outcomes(['b', 'refused', 'c', 'd'])).toEqual(['done', 'not this one', 'done', 'done']);
	expect(await first).toEqual(['done']);
	expect(batches).toEqual([['a'], ['b', 'refused', 'c'], ['d']]);
	expect(await outcomes(['all fail', 'e'])).toEqual(['no batch', 'no batch']);
	expect(await outcomes(['f'])).toEqual(['done']);
});

test('createBatcher waits until a batch has as many items as the previous one', async () => {
	const sizes: number[] = [];
	const store = createBatcher({ maxItems: 10, gatherMs: 1000 }, async (items: number[]) => {
		sizes.push(items.length);
		return new Map();
	});
	await store(0);
	await Promise.all([store(1), store(2), store(3)]);
	const [early] = [store(4), await sleep(20)];
	await Promise.all([early, store(5), store(6)]);
	expect(sizes).toEqual([1, 3, 3]);
});
