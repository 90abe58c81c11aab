/** Runs at most `max` tasks with the same key at once in this process; other tasks wait in order. */
export function createKeyedLimiter(max: number) {
	const queues = new Map<string, { running: number; waiting: Array<() => void> }>();
	return {
		async run<T>(key: string, work: () => Promise<T>): Promise<T> {
			const queue = queues.get(key) ?? { running: 0, waiting: [] };
			queues.set(key, queue);
			if (queue.running >= max) await new Promise<void>((resolve) => queue.waiting.push(resolve));
			else queue.running += 1;
			try {
				return await work();
			} finally {
				const next = queue.waiting.shift();
				// The next waiting task uses the slot; the slot becomes free only when no task waits.
				if (next !== undefined) next();
				else if (--queue.running === 0) queues.delete(key);
			}
		},
	};
}

/** Runs at most `max` tasks at once; waiting tasks of different senders alternate. */
export function createFairLimiter(max: number): { run<T>(sender: string, work: () => Promise<T>): Promise<T> } {
	let running = 0;
	const waiting = new Map<string, Array<() => void>>();
	/** Starts a task of the next sender in the slot of a finished task, and moves this sender to the end of the queue. */
	function startNext(): void {
		const next = waiting.entries().next().value;
		if (next === undefined) {
			running -= 1;
			return;
		}
		const [sender, [startTask, ...left]] = next;
		waiting.delete(sender);
		if (left.length > 0) waiting.set(sender, left);
		startTask?.();
	}
	return {
		async run(sender, work) {
			if (running < max) running += 1;
			else await new Promise<void>((resolve) => waiting.set(sender, [...(waiting.get(sender) ?? []), resolve]));
			try {
				return await work();
			} finally {
				startNext();
			}
		},
	};
}

export type KeyedSemaphore = ReturnType<typeof createKeyedSemaphore>;

/** Limits the number of slots in use for each key in this process; further requests are refused. */
export function createKeyedSemaphore(max: number) {
	const usedSlots = new Map<string, number>();
	return {
		/** @returns a function that releases the slot and may be called twice; null when all slots are in use */
		tryAcquire(key: string): (() => void) | null {
			const count = usedSlots.get(key) ?? 0;
			if (count >= max) return null;
			usedSlots.set(key, count + 1);
			let isInUse = true;
			return () => {
				if (!isInUse) return;
				isInUse = false;
				const remaining = (usedSlots.get(key) ?? 1) - 1;
				if (remaining === 0) usedSlots.delete(key);
				else usedSlots.set(key, remaining);
			};
		},
	};
}

/** Limits the bytes in use in this process, such as those of buffers; requests wait in order until enough is free. */
export function createByteSemaphore(totalBytes: number) {
	let reservedBytes = 0;
	const waiting: Array<{ bytes: number; resolve: () => void }> = [];
	const fits = (bytes: number) => reservedBytes === 0 || reservedBytes + bytes <= totalBytes;

	return {
		/** Resolves when the bytes are reserved. More than `totalBytes` wait until nothing else is reserved. */
		async acquire(bytes: number): Promise<void> {
			if (waiting.length === 0 && fits(bytes)) {
				reservedBytes += bytes;
				return;
			}
			await new Promise<void>((resolve) => {
				waiting.push({ bytes, resolve });
			});
		},
		/** Reserves the bytes if they are free now. */
		tryAcquire(bytes: number): boolean {
			if (waiting.length > 0 || !fits(bytes)) return false;
			reservedBytes += bytes;
			return true;
		},
		release(bytes: number): void {
			reservedBytes -= bytes;
			for (let next = waiting[0]; next !== undefined && fits(next.bytes); next = waiting[0]) {
				waiting.shift();
				reservedBytes += next.bytes;
				next.resolve();
			}
		},
		hasWaiters: () => waiting.length > 0,
	};
}
