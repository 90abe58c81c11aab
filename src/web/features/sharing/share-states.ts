import type { ShareState } from '#contract/sharing/sharing.ts';
import { client } from '#web/platform/api.ts';

interface Waiter {
	resolve: (state: ShareState | null) => void;
	reject: (error: unknown) => void;
}

/** Rows come into view together: what is asked within this many milliseconds goes in one call. */
const gatherMs = 10;
const asked = new Map<string, Map<string, Waiter[]>>();

/** How one folder or file stands for a person, null when it is gone. Many rows that ask together make one call. */
export function askShareState(email: string, id: string): Promise<ShareState | null> {
	return new Promise((resolve, reject) => {
		let batch = asked.get(email);
		if (batch === undefined) {
			batch = new Map();
			asked.set(email, batch);
			setTimeout(() => void sendBatch(email), gatherMs);
		}
		batch.set(id, [...(batch.get(id) ?? []), { resolve, reject }]);
	});
}

async function sendBatch(email: string): Promise<void> {
	const batch = asked.get(email) ?? new Map<string, Waiter[]>();
	asked.delete(email);
	try {
		const { items } = await client.sharing.states({ email, ids: [...batch.keys()] });
		const states = new Map(items.map((state) => [state.id, state]));
		for (const [id, waiters] of batch) for (const { resolve } of waiters) resolve(states.get(id) ?? null);
	} catch (error) {
		for (const waiters of batch.values()) for (const { reject } of waiters) reject(error);
	}
}
