import { executionAsyncResource } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import type { Connection } from './database/connection.ts';

/**
 * Lets whoever waits have a turn: requests, timers, other work. SQLite answers at once, so that a loop over it awaits
 * nothing that the event loop could go on with; one that may run long has to ask for it between its steps.
 */
export async function yieldToEventLoop(): Promise<void> {
	await setImmediate();
}

/** Turns for others by time, whatever the steps of a work cost: a promise every so many milliseconds, else nothing to wait for. */
export function createTimedYield(everyMs = 10): () => Promise<void> | undefined {
	let last = performance.now();
	return () => {
		if (performance.now() - last < everyMs) return undefined;
		return yieldToEventLoop().then(() => {
			last = performance.now();
		});
	};
}

/** For how many milliseconds one transaction of long work may be filled: on SQLite the whole server waits meanwhile. */
export function transactionBudgetMs({ connection }: { connection: Pick<Connection, 'kind'> }): number {
	return connection.kind === 'sqlite' ? 25 : 250;
}

/** Nobody reads it. A set, since a bundler would leave out a variable that is only written. */
const retained = new Set<object>();

/**
 * Keeps one of the objects that Node makes for `process.nextTick` alive as long as the process. V8 builds them fast only
 * while it knows their shape, and it forgets a shape when a full garbage collection finds no object of it; from then on
 * each tick takes 0.34 µs instead of 0.06 µs (measured with Node 24), and an answer takes a dozen. Call it first of all.
 * It can go when the time of a `nextTick` after the server's start is the same without it.
 * @returns once it is kept
 */
export function preserveNextTickShape(): Promise<object> {
	return new Promise((resolve) => {
		process.nextTick(() => {
			const tick = executionAsyncResource();
			retained.add(tick);
			resolve(tick);
		});
	});
}
