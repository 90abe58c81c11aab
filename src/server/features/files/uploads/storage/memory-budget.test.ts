import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createMemoryBudget } from './memory-budget.ts';

test('grants requests in order, within the budget', async () => {
	const memory = createMemoryBudget(10);
	const had: string[] = [];
	const take = (name: string, bytes: number) => memory.acquire(bytes).then(() => had.push(name));
	await take('a', 6);
	await take('b', 4);
	expect(memory.hasWaiters()).toBe(false);
	void take('c', 5);
	void take('d', 1);
	await turn();
	expect(had).toEqual(['a', 'b']);
	expect(memory.hasWaiters()).toBe(true);
	memory.release(4);
	await turn();
	expect(had, 'the small one does not slip past').toEqual(['a', 'b']);
	memory.release(6);
	await turn();
	expect(had).toEqual(['a', 'b', 'c', 'd']);
	expect(memory.hasWaiters()).toBe(false);
});

test('grants a request above the budget only when no other memory is in use', async () => {
	const memory = createMemoryBudget(10);
	let isHad = false;
	await memory.acquire(1);
	void memory.acquire(11).then(() => {
		isHad = true;
	});
	await turn();
	expect(isHad).toBe(false);
	memory.release(1);
	await turn();
	expect(isHad).toBe(true);
});
