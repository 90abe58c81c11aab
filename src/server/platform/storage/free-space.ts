import { AppError } from '../app-error.ts';
import type { Deps } from '../deps.ts';
import type { DiskSpace, Storage } from './storage.ts';

const mebibyte = 1024 * 1024;

/** Free bytes that only the database and mails may use. */
export const databaseReserveBytes = 64 * mebibyte;

/** Returns the bytes reserved for payment screenshots: 192 MiB, or a tenth of a small disk. */
export function checkoutReserveBytes({ totalBytes }: DiskSpace): number {
	return Math.min(192 * mebibyte, Math.floor(totalBytes / 10));
}

/** Purpose of stored bytes: `checkout` may use the reserve for payment screenshots. */
type SpacePurpose = 'files' | 'checkout';

/** Returns how many bytes may be stored for a purpose without using a reserve for others; Infinity with an S3 store. */
export function freeBytesFor(purpose: SpacePurpose, space: DiskSpace): number {
	const reservedBytes = databaseReserveBytes + (purpose === 'files' ? checkoutReserveBytes(space) : 0);
	return Math.max(0, space.freeBytes - reservedBytes);
}

/** Whether the space for payment screenshots has fallen below a tenth of its reserve. */
export function isCheckoutSpaceLow(space: DiskSpace): boolean {
	return freeBytesFor('checkout', space) < checkoutReserveBytes(space) / 10;
}

/** Lists the disk space of the files and, with an embedded database, of DATA_DIR, which is often on the same disk. */
export async function listDiskSpaces(deps: Pick<Deps, 'connection' | 'getDataDiskSpace' | 'storage'>) {
	const filesSpace = await deps.storage.getDiskSpace();
	return deps.connection.kind === 'sqlite' ? [filesSpace, await deps.getDataDiskSpace()] : [filesSpace];
}

/** Returns how many bytes of files may still be stored; see {@link freeBytesFor}. */
export async function getFreeBytes(storage: Pick<Storage, 'getDiskSpace'>): Promise<number> {
	return freeBytesFor('files', await storage.getDiskSpace());
}

/** Requires space for files except payment screenshots. @throws AppError STORAGE_FULL if they would use a reserve */
export async function requireFreeSpace(storage: Pick<Storage, 'getDiskSpace'>, sizeBytes: number): Promise<void> {
	if ((await getFreeBytes(storage)) < sizeBytes) throw new AppError('STORAGE_FULL');
}

/**
 * Requires space for rows that members and visitors add (messages, notes, visits), on the disk of an embedded database.
 * PostgreSQL's disk is not checked.
 * @throws AppError STORAGE_FULL if these bytes would use a reserve
 */
export async function requireDatabaseSpace(
	deps: Pick<Deps, 'getDataDiskSpace'> & { connection: Pick<Deps['connection'], 'kind'> },
	sizeBytes: number,
): Promise<void> {
	if (deps.connection.kind !== 'sqlite') return;
	if (freeBytesFor('files', await deps.getDataDiskSpace()) < sizeBytes) throw new AppError('STORAGE_FULL');
}
