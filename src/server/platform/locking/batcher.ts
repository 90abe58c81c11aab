import { setTimeout as sleep } from 'node:timers/promises';
import { yieldToEventLoop } from '../event-loop.ts';

/** Processes a batch. @returns the errors of the failed items @throws Error if all items failed */
type RunBatch<Item> = (items: Item[]) => Promise<ReadonlyMap<Item, unknown>>;

interface BatcherOptions {
	maxItems: number;
	/** Maximum wait until a batch has as many items as the previous one, whose callers may soon send the next item. */
	gatherMs: number;
	/** Number of concurrent batches; 1 by default. */
	parallelBatches?: number;
}

/**
 * Groups concurrent calls, as in a group commit: the items that arrive while a batch runs are the next batch. Each call
 * resolves or fails after the batch of its item.
 */
export function createBatcher<Item>({ maxItems, gatherMs, parallelBatches = 1 }: BatcherOptions, run: RunBatch<Item>) {
	const waiting: Array<{ item: Item; resolve: () => void; reject: (error: unknown) => void }> = [];
	let running = 0;
	let expectedItems = 1;
	let stopGathering = () => {};

	async function gather(): Promise<void> {
		// Requests that have arrived already join the batch.
		await yieldToEventLoop();
		if (waiting.length >= expectedItems) return;
		const { promise, resolve } = Promise.withResolvers<void>();
		stopGathering = resolve;
		await Promise.race([promise, sleep(gatherMs)]);
	}

	async function runBatches(): Promise<void> {
		running += 1;
		while (waiting.length > 0) {
			await gather();
			const batch = waiting.splice(0, maxItems);
			if (batch.length === 0) break;
			try {
				const errors = await run(batch.map(({ item }) => item));
				for (const { item, resolve, reject } of batch) {
					if (errors.has(item)) reject(errors.get(item));
					else resolve();
				}
			} catch (error) {
				for (const { reject } of batch) reject(error);
			}
			expectedItems = Math.min(maxItems, batch.length + waiting.length);
		}
		running -= 1;
	}

	return (item: Item): Promise<void> =>
		new Promise((resolve, reject) => {
			waiting.push({ item, resolve, reject });
			if (waiting.length >= expectedItems) stopGathering();
			if (running < parallelBatches) void runBatches();
		});
}
