/** Memory in which uploads gather: whoever wants some waits until it is there, first come, first served. */
export interface GatheringMemory {
	/** Resolves when so much has been put by. More than there is in all is had by whoever has nothing beside. */
	take(bytes: number): Promise<void>;
	giveBack(bytes: number): void;
	/** Whether somebody waits. */
	isWanted(): boolean;
}

export function createGatheringMemory(totalBytes: number): GatheringMemory {
	let taken = 0;
	const waiting: Array<{ bytes: number; resolve: () => void }> = [];
	const fits = (bytes: number) => taken === 0 || taken + bytes <= totalBytes;

	return {
		async take(bytes) {
			if (waiting.length === 0 && fits(bytes)) {
				taken += bytes;
				return;
			}
			await new Promise<void>((resolve) => {
				waiting.push({ bytes, resolve });
			});
		},
		giveBack(bytes) {
			taken -= bytes;
			for (let next = waiting[0]; next !== undefined && fits(next.bytes); next = waiting[0]) {
				waiting.shift();
				taken += next.bytes;
				next.resolve();
			}
		},
		isWanted: () => waiting.length > 0,
	};
}
