import { AppError } from '../../../platform/app-error.ts';
import { isoAt } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { acquireNamedLock } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { getFreeBytes } from '../../../platform/storage/free-space.ts';
import { uploadStorageOf } from './storage/multipart-upload-storage.ts';
import * as queries from './uploads.queries.ts';

/** An unfinished upload reserves space for this long after its start. */
const pendingSeconds = 24 * 3600;

export interface DiskSpace {
	freeBytes: number;
	/**
	 * Bytes received of unfinished uploads. They are already missing in `freeBytes` and are also part of the announced
	 * sizes, so they must not be subtracted twice. 0 if there is ample space.
	 */
	arrivedBytes: number;
}

/** Measures the disk space, before the transaction in which {@link requireDiskSpace} checks the result. */
export async function measureDiskSpace(deps: Deps, sizeBytes: number): Promise<DiskSpace> {
	const freeBytes = await getFreeBytes(deps.storage);
	const since = isoAt(deps.clock, -pendingSeconds);
	const pendingBytes = await queries.sumPendingBytes(deps.db, { since });
	// Reading the size of every upload is only worthwhile when space may be short.
	if ((pendingBytes + sizeBytes) * 2 < freeBytes) return { freeBytes, arrivedBytes: 0 };
	let arrivedBytes = 0;
	for (const upload of await queries.listUnfinishedUploads(deps.db))
		if (upload.created_at > since) arrivedBytes += await uploadStorageOf(deps).countArrivedBytes(deps, upload);
	return { freeBytes, arrivedBytes };
}

/** Returns the free disk space that no unfinished upload has reserved, for `sizeBytes` more bytes. */
export async function getUnreservedBytes(deps: Deps, sizeBytes: number): Promise<number> {
	const { freeBytes, arrivedBytes } = await measureDiskSpace(deps, sizeBytes);
	const pendingBytes = await queries.sumPendingBytes(deps.db, { since: isoAt(deps.clock, -pendingSeconds) });
	return freeBytes + arrivedBytes - pendingBytes;
}

/** Requires disk space for an upload in addition to that for the pending uploads. @throws AppError STORAGE_FULL */
export async function requireDiskSpace(deps: Deps, tx: Db, diskSpace: DiskSpace, sizeBytes: number): Promise<void> {
	// Locked, so that concurrent uploads on all servers are checked one after the other.
	await acquireNamedLock(tx, 'uploads');
	const pendingBytes = await queries.sumPendingBytes(tx, { since: isoAt(deps.clock, -pendingSeconds) });
	if (diskSpace.freeBytes + diskSpace.arrivedBytes - pendingBytes < sizeBytes) throw new AppError('STORAGE_FULL');
}
