import { statfs } from 'node:fs/promises';

/** Space of a file system in bytes; both are Infinity for an S3 store. */
export interface DiskSpace {
	/** Bytes that an unprivileged process may still write. */
	freeBytes: number;
	totalBytes: number;
}

export const unlimitedSpace: DiskSpace = { freeBytes: Number.POSITIVE_INFINITY, totalBytes: Number.POSITIVE_INFINITY };

const cachedMs = 1000;

export async function readDiskSpace(folder: string): Promise<DiskSpace> {
	const { bavail, blocks, bsize } = await statfs(folder);
	return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

/** Returns a function like {@link readDiskSpace} that reads the space at most once a second. */
export function createDiskSpaceReader(folder: string): () => Promise<DiskSpace> {
	let reading: Promise<DiskSpace> | undefined;
	let readAtMs = 0;
	return () => {
		const now = performance.now();
		if (reading === undefined || now - readAtMs >= cachedMs) {
			readAtMs = now;
			reading = readDiskSpace(folder);
			reading.catch(() => {
				reading = undefined;
			});
		}
		return reading;
	};
}
