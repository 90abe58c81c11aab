import type { Deps } from '#server/platform/deps.ts';
import { checkoutReserveBytes, databaseReserveBytes } from '#server/platform/storage/free-space.ts';
import type { DiskSpace } from '#server/platform/storage/storage.ts';

/** Default disk of tests, so that they do not depend on the machine's own disk. */
export const largeDisk: DiskSpace = { freeBytes: 2 ** 37, totalBytes: 2 ** 38 };

/** Replaces the disk space that the app reads for its files and for DATA_DIR. */
export function fakeDiskSpace(deps: Deps, space: DiskSpace): void {
	deps.storage.getDiskSpace = async () => space;
	deps.getDataDiskSpace = async () => space;
}

/** Returns a large disk with `bytes` free above the reserves that the app keeps; negative: the reserves are also used. */
export function diskWithSpaceForFiles(bytes: number): DiskSpace {
	const { totalBytes } = largeDisk;
	return { totalBytes, freeBytes: databaseReserveBytes + checkoutReserveBytes(largeDisk) + bytes };
}
