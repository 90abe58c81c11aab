/** Creates a budget for upload buffers: a request waits until enough is free, first come, first served. */
export function createMemoryBudget(totalBytes: number) {
	let reservedBytes = 0;
	const waiting: Array<{ bytes: number; resolve: () => void }> = [];
	const fits = (bytes: number) => reservedBytes === 0 || reservedBytes + bytes <= totalBytes;

	return {
		/** Resolves when the bytes are reserved; more than the whole budget once nothing else is reserved. */
		async acquire(bytes: number): Promise<void> {
			if (waiting.length === 0 && fits(bytes)) {
				reservedBytes += bytes;
				return;
			}
			await new Promise<void>((resolve) => {
				waiting.push({ bytes, resolve });
			});
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
