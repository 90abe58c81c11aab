import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createMemoryBudget } from './memory-budget.ts';

test('createMemoryBudget grants requests in order, within the budget', async () => {
	const memory = createMemoryBudget(10);
	const granted: string[] = [];
	const acquire = (name: string, bytes: number) => memory.acquire(bytes).then(() => granted.push(name));
	await acquire('a', 6);
	await acquire('b', 4);
	expect(memory.hasWaiters()).toBe(false);
	void acquire('c', 5);
	void acquire('d', 1);
	await turn();
	expect(granted).toEqual(['a', 'b']);
	expect(memory.hasWaiters()).toBe(true);
	memory.release(4);
	await turn();
	expect(granted, 'the small request does not overtake the larger one').toEqual(['a', 'b']);
	memory.release(6);
	await turn();
	expect(granted).toEqual(['a', 'b', 'c', 'd']);
	expect(memory.hasWaiters()).toBe(false);
});

test('createMemoryBudget grants a request above the budget only when no other memory is in use', async () => {
	const memory = createMemoryBudget(10);
	let isGranted = false;
	await memory.acquire(1);
	void memory.acquire(11).then(() => {
		isGranted = true;
	});
	await turn();
	expect(isGranted).toBe(false);
	memory.release(1);
	await turn();
	expect(isGranted).toBe(true);
});
