import type { Deps } from '#server/platform/deps.ts';
import type { DiskSpace } from '#server/platform/storage/disk/disk-space.ts';
import { checkoutReserveBytes, databaseReserveBytes } from '#server/platform/storage/free-space.ts';

/** The disk of tests that set no other, so that they do not depend on the machine's own disk. */
export const largeDisk: DiskSpace = { freeBytes: 2 ** 37, totalBytes: 2 ** 38 };

/** Replaces what the app reads of its disks, that of the files and that of DATA_DIR. */
export function fakeDiskSpace(deps: Deps, space: DiskSpace): void {
	deps.storage.getDiskSpace = async () => space;
	deps.getDataDiskSpace = async () => space;
}

/** A large disk on which files may still take `bytes`; below 0, the reserves have been touched by so much. */
export function diskWithSpaceForFiles(bytes: number): DiskSpace {
	const { totalBytes } = largeDisk;
	return { totalBytes, freeBytes: databaseReserveBytes + checkoutReserveBytes(largeDisk) + bytes };
}
