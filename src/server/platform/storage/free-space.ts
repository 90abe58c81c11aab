import { AppError } from '../app-error.ts';
import type { Deps } from '../deps.ts';
import type { DiskSpace } from './disk/disk-space.ts';
import type { Storage } from './storage.ts';

const mebibyte = 1024 * 1024;

/** Bytes that only the database and the mails may use. */
export const databaseReserveBytes = 64 * mebibyte;

/** Bytes for the screenshots of purchases, above the database's reserve: 192 MiB, or a tenth of a small disk. */
export function checkoutReserveBytes({ totalBytes }: DiskSpace): number {
	return Math.min(192 * mebibyte, Math.floor(totalBytes / 10));
}

/** Purpose of stored bytes: only purchases may use the reserve for purchases. */
type SpacePurpose = 'files' | 'purchase';

/** Returns the bytes that a purpose may store without using a reserve; Infinity if no local disk limits them. */
export function freeBytesFor(purpose: SpacePurpose, space: DiskSpace): number {
	const reservedBytes = databaseReserveBytes + (purpose === 'files' ? checkoutReserveBytes(space) : 0);
	return Math.max(0, space.freeBytes - reservedBytes);
}

/** Whether the space for purchases has fallen below a tenth of its reserve. */
export function isCheckoutSpaceLow(space: DiskSpace): boolean {
	return freeBytesFor('purchase', space) < checkoutReserveBytes(space) / 10;
}

/** Lists the space of the files' disk or store and, with an embedded database, of DATA_DIR, often the same disk. */
export async function listDiskSpaces(
	deps: Pick<Deps, 'connection' | 'getDataDiskSpace' | 'storage'>,
): Promise<DiskSpace[]> {
	const filesSpace = await deps.storage.getDiskSpace();
	return deps.connection.kind === 'sqlite' ? [filesSpace, await deps.getDataDiskSpace()] : [filesSpace];
}

/** Returns {@link freeBytesFor} files on the disk or store of the files. */
export async function getFreeBytes(storage: Storage): Promise<number> {
	return freeBytesFor('files', await storage.getDiskSpace());
}

/** Checks the space for any bytes but a purchase's. @throws AppError STORAGE_FULL when they would use a reserve */
export async function requireFreeSpace(storage: Storage, sizeBytes: number): Promise<void> {
	if ((await getFreeBytes(storage)) < sizeBytes) throw new AppError('STORAGE_FULL');
}

/**
 * Checks the space for rows of members and visitors (messages, notes, visits): the embedded database grows on the disk
 * of DATA_DIR, wherever the files are. Cheap, as the disk is read once a second. PostgreSQL's disk is not checked.
 * @throws AppError STORAGE_FULL when these bytes would use the reserves of purchases or of the database
 */
export async function requireDatabaseSpace(
	deps: Pick<Deps, 'connection' | 'getDataDiskSpace'>,
	sizeBytes: number,
): Promise<void> {
	if (deps.connection.kind !== 'sqlite') return;
	if (freeBytesFor('files', await deps.getDataDiskSpace()) < sizeBytes) throw new AppError('STORAGE_FULL');
}
