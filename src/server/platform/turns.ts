import { setImmediate } from 'node:timers/promises';
import type { Connection } from '../db/connect.ts';

/**
 * Lets whoever waits have a turn: requests, timers, other work. SQLite answers at once, so that a loop over it awaits
 * nothing that the event loop could go on with; one that may run long has to ask for it between its steps.
 */
export async function letOthers(): Promise<void> {
	await setImmediate();
}

/** Turns for others by time, whatever the steps of a work cost: a promise every so many milliseconds, else nothing to wait for. */
export function turnsByTime(everyMs = 10): () => Promise<void> | undefined {
	let last = performance.now();
	return () => {
		if (performance.now() - last < everyMs) return undefined;
		return letOthers().then(() => {
			last = performance.now();
		});
	};
}

/** For how many milliseconds one transaction of long work may be filled: on SQLite the whole server waits meanwhile. */
export function stepMs({ connection }: { connection: Pick<Connection, 'kind'> }): number {
	return connection.kind === 'sqlite' ? 25 : 250;
}
