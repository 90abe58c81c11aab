/** So many things with the same key may be open at once on this process; one more is refused. */
export interface KeyedSemaphore {
	/** @returns a function that gives the place back, once; null when all are taken. */
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
