import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createGatheringMemory } from './uploads.memory.ts';

test('memory is given to whoever came first, and no more than there is', async () => {
	const memory = createGatheringMemory(10);
	const had: string[] = [];
	const take = (name: string, bytes: number) => memory.take(bytes).then(() => had.push(name));
	await take('a', 6);
	await take('b', 4);
	expect(memory.isWanted()).toBe(false);
	void take('c', 5);
	void take('d', 1);
	await turn();
	expect(had).toEqual(['a', 'b']);
	expect(memory.isWanted()).toBe(true);
	memory.giveBack(4);
	await turn();
	expect(had, 'the small one does not slip past').toEqual(['a', 'b']);
	memory.giveBack(6);
	await turn();
	expect(had).toEqual(['a', 'b', 'c', 'd']);
	expect(memory.isWanted()).toBe(false);
});

test('who wants more than there is has it alone', async () => {
	const memory = createGatheringMemory(10);
	let isHad = false;
	await memory.take(1);
	void memory.take(11).then(() => {
		isHad = true;
	});
	await turn();
	expect(isHad).toBe(false);
	memory.giveBack(1);
	await turn();
	expect(isHad).toBe(true);
});
