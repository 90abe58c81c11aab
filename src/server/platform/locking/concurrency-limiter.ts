/** Runs at most `max` tasks with the same key at once in this process; the others wait in order. */
interface KeyedLimiter {
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
				// The next waiting task takes over the slot; it becomes free only when none waits.
				if (next !== undefined) next();
				else if (--line.running === 0) queues.delete(key);
			}
		},
	};
}

/** Runs at most `max` tasks at once; the senders of waiting tasks take turns. */
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
	/** Gives the slot of a finished task to the next sender, whose remaining tasks go behind the other senders. */
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

/** Limits how many holders of the same key there are at once in this process; further ones are refused. */
export interface KeyedSemaphore {
	/** @returns a function that releases the slot and may be called twice; null when all slots are taken. */
	tryAcquire(key: string): (() => void) | null;
}

export function createKeyedSemaphore(max: number): KeyedSemaphore {
	const taken = new Map<string, number>();
	return {
		tryAcquire(key) {
			const count = taken.get(key) ?? 0;
			if (count >= max) return null;
			taken.set(key, count + 1);
			let isHeld = true;
			return () => {
				if (!isHeld) return;
				isHeld = false;
				const left = (taken.get(key) ?? 1) - 1;
				if (left === 0) taken.delete(key);
				else taken.set(key, left);
			};
		},
	};
}
