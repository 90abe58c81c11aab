import { existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

export const memoryDisk = '/dev/shm';

/** Returns the memory disk if it has this much free space, because it needs no sync to a disk; else the temporary folder. */
export function fastTemporaryFolder(requiredBytes) {
	if (!existsSync(memoryDisk)) return tmpdir();
	const { bavail, bsize } = statfsSync(memoryDisk);
	return bavail * bsize >= requiredBytes ? memoryDisk : tmpdir();
}
