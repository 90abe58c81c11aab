import { statfs } from 'node:fs/promises';

/** Current space of a file system, in bytes; both are Infinity if no local disk limits what is stored. */
export interface DiskSpace {
	/** Bytes that an unprivileged process may still write. */
	freeBytes: number;
	totalBytes: number;
}

export const unlimitedSpace: DiskSpace = { freeBytes: Number.POSITIVE_INFINITY, totalBytes: Number.POSITIVE_INFINITY };

const cachedMs = 1000;

/** Reads the space of the file system that a folder is on (statfs(2)). */
export async function readDiskSpace(folder: string): Promise<DiskSpace> {
	const { bavail, blocks, bsize } = await statfs(folder);
	return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

/** Returns a cached {@link readDiskSpace}, which asks the system at most once a second. */
export function createDiskSpaceReader(folder: string): () => Promise<DiskSpace> {
	let reading: Promise<DiskSpace> | undefined;
	let readAt = 0;
	return () => {
		const now = performance.now();
		if (reading === undefined || now - readAt >= cachedMs) {
			readAt = now;
			reading = readDiskSpace(folder);
			reading.catch(() => {
				reading = undefined;
			});
		}
		return reading;
	};
}
