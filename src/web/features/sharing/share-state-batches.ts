import type { ShareState } from '#contract/sharing/sharing.ts';
import { client } from '#web/platform/api/client.ts';

interface Waiter<Answer> {
	resolve: (answer: Answer) => void;
	reject: (error: unknown) => void;
}

/** Rows come into view together: what is asked within this many milliseconds goes in one call. */
const batchWindowMs = 10;

/** Many rows that ask together make one call. `send` gives back how to answer each. */
function batchCalls<Answer>(send: (ids: string[]) => Promise<(id: string) => Answer>): (id: string) => Promise<Answer> {
	let batch = new Map<string, Waiter<Answer>[]>();
	async function sendBatch(): Promise<void> {
		const sent = batch;
		batch = new Map();
		try {
			const answerTo = await send([...sent.keys()]);
			for (const [id, waiters] of sent) for (const { resolve } of waiters) resolve(answerTo(id));
		} catch (error) {
			for (const waiters of sent.values()) for (const { reject } of waiters) reject(error);
		}
	}
	return (id) =>
		new Promise((resolve, reject) => {
			if (batch.size === 0) setTimeout(() => void sendBatch(), batchWindowMs);
			batch.set(id, [...(batch.get(id) ?? []), { resolve, reject }]);
		});
}

const stateFetchers = new Map<string, (id: string) => Promise<ShareState | null>>();

/** A recipient's access to one folder or file, null when it was deleted. */
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

/** Whether one folder or file is shared with anybody, by an entry of its own. */
export const fetchIsShared = batchCalls(async (ids) => {
	const shared = new Set((await client.sharing.marks({ ids })).ids);
	return (id) => shared.has(id);
});
