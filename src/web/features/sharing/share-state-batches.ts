import type { ShareState } from '#contract/sharing/sharing.ts';
import { client } from '#web/platform/api/client.ts';

interface Waiter<Answer> {
	resolve: (answer: Answer) => void;
	reject: (error: unknown) => void;
}

/** Time in ms within which requests are combined into one call: many rows become visible at once. */
const batchWindowMs = 10;

/**
 * Combines the requests of many rows into one call.
 * @param send makes the call for several ids, and returns a function that finds the answer of each
 */
function batchCalls<Answer>(send: (ids: string[]) => Promise<(id: string) => Answer>): (id: string) => Promise<Answer> {
	let batch = new Map<string, Waiter<Answer>[]>();
	async function sendBatch(): Promise<void> {
		const sentBatch = batch;
		batch = new Map();
		try {
			const answerOf = await send([...sentBatch.keys()]);
			for (const [id, waiters] of sentBatch) for (const { resolve } of waiters) resolve(answerOf(id));
		} catch (error) {
			for (const waiters of sentBatch.values()) for (const { reject } of waiters) reject(error);
		}
	}
	return (id) =>
		new Promise((resolve, reject) => {
			if (batch.size === 0) setTimeout(() => void sendBatch(), batchWindowMs);
			batch.set(id, [...(batch.get(id) ?? []), { resolve, reject }]);
		});
}

const stateFetchers = new Map<string, (id: string) => Promise<ShareState | null>>();

/** Returns a recipient's access to a folder or file; null if the folder or file was deleted. */
export function fetchShareState(email: string, id: string): Promise<ShareState | null> {
	const fetcher = stateFetchers.get(email) ?? batchCalls((ids) => fetchStates(email, ids));
	stateFetchers.set(email, fetcher);
	return fetcher(id);
}

async function fetchStates(email: string, ids: string[]): Promise<(id: string) => ShareState | null> {
	const { items } = await client.sharing.states({ email, ids });
	const states = new Map(items.map((state) => [state.id, state]));
	return (id) => states.get(id) ?? null;
}

/** Returns whether a folder or file is itself shared with any user, not only through a parent folder. */
export const fetchIsShared = batchCalls(async (ids) => {
	const sharedIds = new Set((await client.sharing.marks({ ids })).ids);
	return (id) => sharedIds.has(id);
});
