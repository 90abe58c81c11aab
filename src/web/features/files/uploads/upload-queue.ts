import { limits } from '#contract/core/limits.ts';

interface QueuedFile {
	id: string;
	sizeBytes: number;
	isAlone: boolean;
}

interface UploadQueueOptions {
	/** Number of parallel requests. */
	concurrency: number;
	/** Files up to this size are sent in batches. */
	batchedMaxBytes: number;
}

/** The order of waiting uploads, and which of them run, alone or as a batch of small files. */
export function createUploadQueue({ concurrency, batchedMaxBytes }: UploadQueueOptions) {
	let waiting = new Map<string, QueuedFile>();
	/** Ids of running uploads, each with the id of the first upload of its batch. */
	const running = new Map<string, string>();

	function takeGroup(): string[] {
		const ids: string[] = [];
		let bytes = 0;
		for (const { id, sizeBytes, isAlone } of waiting.values()) {
			const isSmall = !isAlone && sizeBytes > 0 && sizeBytes <= batchedMaxBytes;
			bytes += sizeBytes;
			const isFull = ids.length === limits.uploadBatchMaxFiles || bytes > limits.uploadBatchMaxBytes;
			if (ids.length > 0 && (!isSmall || isFull)) break;
			ids.push(id);
			if (!isSmall) break;
		}
		return ids;
	}

	return {
		add: (file: QueuedFile) => void waiting.set(file.id, file),
		addFirst: (file: QueuedFile) => {
			waiting = new Map([[file.id, file], ...waiting]);
		},
		/** Removes a waiting or running upload. */
		remove: (id: string) => {
			waiting.delete(id);
			return running.delete(id);
		},
		isIdle: () => running.size === 0,
		/** Returns the ids of the upload, or of the batch, that starts now; none while all requests are in use. */
		takeNext: (): string[] => {
			if (new Set(running.values()).size >= concurrency) return [];
			const ids = takeGroup();
			for (const id of ids) {
				waiting.delete(id);
				running.set(id, ids[0] ?? id);
			}
			return ids;
		},
	};
}
