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
	/** Bytes that unfinished uploads will still need. */
	reservedBytes: number;
	/**
	 * Bytes received of each unfinished upload. They are already missing in `freeBytes` and are also part of the announced
	 * sizes, so they must not be subtracted twice. Null if there is ample space.
	 */
	arrivedBytes: ReadonlyMap<string, number> | null;
}

/** Measures the disk space, before the transaction in which {@link requireDiskSpace} checks the result. */
export async function measureDiskSpace(deps: Deps, sizeBytes: number): Promise<DiskSpace> {
	const [freeBytes, announcedBytes] = await Promise.all([
		getFreeBytes(deps.storage),
		sumReservedBytes(deps, deps.db, null),
	]);
	// Reading the size of every upload is only worthwhile when space may be short.
	if ((announcedBytes + sizeBytes) * 2 < freeBytes)
		return { freeBytes, reservedBytes: announcedBytes, arrivedBytes: null };
	const arrivedBytes = new Map<string, number>();
	for (const upload of await queries.listUnfinishedUploads(deps.db))
		arrivedBytes.set(upload.id, await uploadStorageOf(deps).countArrivedBytes(deps, upload));
	// Measured after the arrived bytes, so that bytes that arrive meanwhile are not counted as free.
	const freeNowBytes = await getFreeBytes(deps.storage);
	return { freeBytes: freeNowBytes, reservedBytes: await sumReservedBytes(deps, deps.db, arrivedBytes), arrivedBytes };
}

/** Returns the free disk space that no unfinished upload has reserved, for `sizeBytes` more bytes. */
export async function getUnreservedBytes(deps: Deps, sizeBytes: number): Promise<number> {
	const { freeBytes, reservedBytes } = await measureDiskSpace(deps, sizeBytes);
	return freeBytes - reservedBytes;
}

/** Sums the bytes that unfinished uploads will still need. An upload that was finished meanwhile needs none. */
async function sumReservedBytes(deps: Deps, db: Db, arrivedBytes: DiskSpace['arrivedBytes']): Promise<number> {
	const since = isoAt(deps.clock, -pendingSeconds);
	if (arrivedBytes === null) return queries.sumPendingBytes(db, { since });
	const pending = (await queries.listUnfinishedUploads(db)).filter((upload) => upload.created_at > since);
	return pending.reduce((sum, { id, size_bytes }) => sum + size_bytes - (arrivedBytes.get(id) ?? 0), 0);
}

/** Requires disk space for an upload in addition to that for the pending uploads. @throws AppError STORAGE_FULL */
export async function requireDiskSpace(deps: Deps, tx: Db, diskSpace: DiskSpace, sizeBytes: number): Promise<void> {
	// Locked, so that concurrent uploads on all servers are checked one after the other.
	await acquireNamedLock(tx, 'uploads');
	const reservedBytes = await sumReservedBytes(deps, tx, diskSpace.arrivedBytes);
	if (diskSpace.freeBytes - reservedBytes < sizeBytes) throw new AppError('STORAGE_FULL');
}
