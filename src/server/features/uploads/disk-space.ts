import { AppError } from '../../platform/app-error.ts';
import { isoAt } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/schema.ts';
import type { Deps } from '../../platform/deps.ts';
import { getFreeBytes } from '../../platform/storage/free-space.ts';
import { uploadStorageOf } from './storage/storage-driver.ts';
import * as queries from './uploads.queries.ts';

/** Who has not come back for so long holds no room for others. */
const pendingSeconds = 24 * 3600;

/** What the disk has to give, as it was when it was asked. */
export interface DiskSpace {
	freeBytes: number;
	/** What has arrived of uploads under way: it is not free any more, and announced all the same. */
	arrivedBytes: number;
}

/** Asks the disk; to be done before the transaction in which {@link requireDiskSpace} says whether it is enough. */
export async function measureDiskSpace(deps: Deps, sizeBytes: number): Promise<DiskSpace> {
	const freeBytes = await getFreeBytes(deps.storage);
	const since = isoAt(deps.clock, -pendingSeconds);
	const pendingBytes = await queries.sumPendingBytesSince(deps.db, since);
	// Only where it may be short is it worth looking at every upload.
	if ((pendingBytes + sizeBytes) * 2 < freeBytes) return { freeBytes, arrivedBytes: 0 };
	let arrivedBytes = 0;
	for (const upload of await queries.listUnfinishedUploads(deps.db))
		if (upload.created_at > since) arrivedBytes += await uploadStorageOf(deps).countArrivedBytes(deps, upload);
	return { freeBytes, arrivedBytes };
}

/**
 * Inside the transaction that announces an upload: the disk can take it beside all that were announced before.
 * @throws AppError STORAGE_FULL
 */
export async function requireDiskSpace(deps: Deps, tx: Db, diskSpace: DiskSpace, sizeBytes: number): Promise<void> {
	await queries.lockUploadAdmission(tx);
	const pendingBytes = await queries.sumPendingBytesSince(tx, isoAt(deps.clock, -pendingSeconds));
	if (diskSpace.freeBytes + diskSpace.arrivedBytes - pendingBytes < sizeBytes) throw new AppError('STORAGE_FULL');
}
