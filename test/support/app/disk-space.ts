import type { Deps } from '#server/platform/deps.ts';
import { checkoutReserveBytes, databaseReserveBytes } from '#server/platform/storage/free-space.ts';
import type { DiskSpace } from '#server/platform/storage/storage.ts';

/** Default disk of tests, which must not depend on the machine's disk. */
export const largeDisk: DiskSpace = { freeBytes: 2 ** 37, totalBytes: 2 ** 38 };

/** Makes the app read this disk space for its files and for DATA_DIR. */
export function fakeDiskSpace(deps: Deps, space: DiskSpace): void {
	deps.storage.getDiskSpace = async () => space;
	deps.getDataDiskSpace = async () => space;
}

/** Returns a large disk whose free space is the app's reserves plus `bytes`, which may be negative. */
export function diskWithSpaceForFiles(bytes: number): DiskSpace {
	const { totalBytes } = largeDisk;
	return { totalBytes, freeBytes: databaseReserveBytes + checkoutReserveBytes(largeDisk) + bytes };
}
