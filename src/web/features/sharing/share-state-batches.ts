import type { ShareState } from '#contract/sharing/sharing.ts';
import { client } from '#web/platform/api/client.ts';

/** In ms. Requests within this time are combined, because many rows become visible at the same time. */
const batchWindowMs = 10;

/**
 * Combines the requests of many rows into one call.
 * @param send requests several ids, and returns a function that finds the answer for an id
 */
function batchCalls<Answer>(send: (ids: string[]) => Promise<(id: string) => Answer>): (id: string) => Promise<Answer> {
	let batch: { ids: Set<string>; answerOf: Promise<(id: string) => Answer> } | undefined;
	async function sendBatch(ids: Set<string>) {
		await new Promise((resolve) => setTimeout(resolve, batchWindowMs));
		batch = undefined;
		return send([...ids]);
	}
	return async (id) => {
		const ids = batch?.ids ?? new Set();
		batch ??= { ids, answerOf: sendBatch(ids) };
		ids.add(id);
		return (await batch.answerOf)(id);
	};
}

const stateFetchers = new Map<string, (id: string) => Promise<ShareState | null>>();

/** Returns a recipient's access to a node, or null if the node was deleted. */
export function fetchShareState(email: string, id: string): Promise<ShareState | null> {
	const fetcher =
		stateFetchers.get(email) ??
		batchCalls(async (ids) => {
			const { items } = await client.sharing.states({ email, ids });
			const states = new Map(items.map((state) => [state.id, state]));
			return (nodeId) => states.get(nodeId) ?? null;
		});
	stateFetchers.set(email, fetcher);
	return fetcher(id);
}

/** Returns whether a node itself is shared. Shares of parent folders are ignored. */
export const fetchIsShared = batchCalls(async (ids) => {
	const sharedIds = new Set((await client.sharing.marks({ ids })).ids);
	return (id) => sharedIds.has(id);
});
