import { AppError } from '../app-error.ts';
import type { Deps } from '../deps.ts';
import type { DiskSpace } from './disk/disk-space.ts';
import type { Storage } from './storage.ts';

const mebibyte = 1024 * 1024;

/** Kept free for the database and the mails, which nothing else may use. Source: what must survive, disk full. */
export const databaseReserveBytes = 64 * mebibyte;

/** Kept free for the screenshots of purchases, above the database's reserve: 192 MiB, on a small disk a tenth of it. */
export function checkoutReserveBytes({ totalBytes }: DiskSpace): number {
	return Math.min(192 * mebibyte, Math.floor(totalBytes / 10));
}

/** What bytes are stored for: only purchases may use the reserve for purchases. */
export type SpacePurpose = 'files' | 'purchase';

/** What may still be stored for a purpose before a reserve is touched; Infinity where nothing here limits it. */
export function freeBytesFor(purpose: SpacePurpose, space: DiskSpace): number {
	const reservedBytes = databaseReserveBytes + (purpose === 'files' ? checkoutReserveBytes(space) : 0);
	return Math.max(0, space.freeBytes - reservedBytes);
}

/** Whether the space for purchases has fallen below a tenth of its reserve. */
export function isCheckoutSpaceLow(space: DiskSpace): boolean {
	return freeBytesFor('purchase', space) < checkoutReserveBytes(space) / 10;
}

/** The disk or store of the files and, with an embedded database, the disk of DATA_DIR; often these are one disk. */
export async function listDiskSpaces(
	deps: Pick<Deps, 'connection' | 'getDataDiskSpace' | 'storage'>,
): Promise<DiskSpace[]> {
	const filesSpace = await deps.storage.getDiskSpace();
	return deps.connection.kind === 'sqlite' ? [filesSpace, await deps.getDataDiskSpace()] : [filesSpace];
}

/** {@link freeBytesFor} files, on the disk or store that the files are on. */
export async function getFreeBytes(storage: Storage): Promise<number> {
	return freeBytesFor('files', await storage.getDiskSpace());
}

/** For all bytes but a purchase's. @throws AppError STORAGE_FULL when they would touch a reserve */
export async function requireFreeSpace(storage: Storage, sizeBytes: number): Promise<void> {
	if ((await getFreeBytes(storage)) < sizeBytes) throw new AppError('STORAGE_FULL');
}

/**
 * For what a member or a visitor writes as rows (messages, notes, visits): the embedded database grows on the disk of
 * DATA_DIR, wherever the files are. Cheap: the disk is read once a second. PostgreSQL's disk is the operator's to watch.
 * @throws AppError STORAGE_FULL when these bytes would touch the reserves of purchases or of the database
 */
export async function requireDatabaseSpace(
	deps: Pick<Deps, 'connection' | 'getDataDiskSpace'>,
	sizeBytes: number,
): Promise<void> {
	if (deps.connection.kind !== 'sqlite') return;
	if (freeBytesFor('files', await deps.getDataDiskSpace()) < sizeBytes) throw new AppError('STORAGE_FULL');
}
