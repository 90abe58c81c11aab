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
