import type { Deps } from '#server/platform/deps.ts';
import type { DiskSpace } from '#server/platform/storage/disk-space.ts';
import { databaseReserveBytes, purchaseReserveBytes } from '#server/platform/storage/free-space.ts';

/** What tests have unless they say otherwise: whatever the machine that they run on has left. */
export const ampleSpace: DiskSpace = { freeBytes: 2 ** 37, totalBytes: 2 ** 38 };

/** Makes the app believe that its disk, that of the files and of DATA_DIR, has so much left. */
export function fakeDiskSpace(deps: Deps, space: DiskSpace): void {
	deps.storage.getDiskSpace = async () => space;
	deps.getDataDiskSpace = async () => space;
}

/** The space of a large disk on which so many bytes may still be used by files, or where they are below 0, less than none. */
export function spaceForFiles(bytes: number): DiskSpace {
	const { totalBytes } = ampleSpace;
	return { totalBytes, freeBytes: databaseReserveBytes + purchaseReserveBytes(ampleSpace) + bytes };
}
