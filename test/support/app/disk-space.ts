import type { Deps } from '#server/platform/deps.ts';
import type { DiskSpace } from '#server/platform/storage/disk/disk-space.ts';
import { checkoutReserveBytes, databaseReserveBytes } from '#server/platform/storage/free-space.ts';

/** Default disk of tests, so that they do not depend on the machine's own disk. */
export const largeDisk: DiskSpace = { freeBytes: 2 ** 37, totalBytes: 2 ** 38 };

/** Replaces the free space that the app reads, both of the files' disk and of DATA_DIR's. */
export function fakeDiskSpace(deps: Deps, space: DiskSpace): void {
	deps.storage.getDiskSpace = async () => space;
	deps.getDataDiskSpace = async () => space;
}

/** Returns a large disk on which files may still take `bytes`; a negative number reaches that far into the reserves. */
export function diskWithSpaceForFiles(bytes: number): DiskSpace {
	const { totalBytes } = largeDisk;
	return { totalBytes, freeBytes: databaseReserveBytes + checkoutReserveBytes(largeDisk) + bytes };
}
