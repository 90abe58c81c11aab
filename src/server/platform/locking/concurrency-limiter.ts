/** Lets at most `max` pieces of work with the same key run at once on this process; the others wait their turn. */
export interface KeyedLimiter {
	run<T>(key: string, work: () => Promise<T>): Promise<T>;
}

export function createKeyedLimiter(max: number): KeyedLimiter {
	const queues = new Map<string, { running: number; waiting: Array<() => void> }>();
	return {
		async run(key, work) {
			const line = queues.get(key) ?? { running: 0, waiting: [] };
			queues.set(key, line);
			if (line.running >= max) await new Promise<void>((resolve) => line.waiting.push(resolve));
			else line.running += 1;
			try {
				return await work();
			} finally {
				const next = line.waiting.shift();
				// Whoever waits takes over the place; only without anybody does it become free.
				if (next !== undefined) next();
				else if (--line.running === 0) queues.delete(key);
			}
		},
	};
}

/**
 * Lets at most `max` pieces of work run at once on this process. The senders of those that wait take turns: nobody's
 * second piece comes before another's first.
 */
export function createFairLimiter(max: number): { run<T>(sender: string, work: () => Promise<T>): Promise<T> } {
	let running = 0;
	const waiting = new Map<string, Array<() => void>>();
	function waitInQueue(sender: string): Promise<void> {
		return new Promise((resolve) => {
			const line = waiting.get(sender);
			if (line === undefined) waiting.set(sender, [resolve]);
			else line.push(resolve);
		});
	}
	/** Hands the place of an ended piece to the next sender, who goes behind the others with what they have left. */
	function startNext(): void {
		const next = waiting.entries().next().value;
		if (next === undefined) {
			running -= 1;
			return;
		}
		const [sender, [begin, ...left]] = next;
		waiting.delete(sender);
		if (left.length > 0) waiting.set(sender, left);
		begin?.();
	}
	return {
		async run(sender, work) {
			if (running >= max) await waitInQueue(sender);
			else running += 1;
			try {
				return await work();
			} finally {
				startNext();
			}
		},
	};
}
