import { setImmediate } from 'node:timers/promises';
import type { Connection } from './database/connection.ts';

/** Lets pending requests and timers run. Call between the steps of long work: SQLite queries block the event loop. */
export async function yieldToEventLoop(): Promise<void> {
	await setImmediate();
}

/** Returns a function that yields to the event loop if `everyMs` have passed since the last yield. */
export function createTimedYield(everyMs = 10): () => Promise<void> | undefined {
	let last = performance.now();
	return () => {
		if (performance.now() - last < everyMs) return undefined;
		return yieldToEventLoop().then(() => {
			last = performance.now();
		});
	};
}

/** Returns the time limit for one transaction of a long task: on SQLite all other queries wait for the transaction. */
export function transactionBudgetMs({ connection }: { connection: Pick<Connection, 'kind'> }): number {
	return connection.kind === 'sqlite' ? 25 : 250;
}
