import { text } from 'node:stream/consumers';
import type { Storage } from './storage.ts';

/** Holds the id of the installation that a folder or a bucket belongs to. */
export const markerKey = '.folio';

/** A storage as it has to be looked at before anything is kept in it. */
export interface ClaimableStorage extends Pick<Storage, 'read' | 'put'> {
	/** Whether it holds nothing at all. */
	isEmpty(): Promise<boolean>;
}

/** Whose a storage is. */
export type StorageOwner = 'ours' | 'another installation' | 'something else';

/**
 * Makes sure that a storage is this installation's own: the upkeep removes whatever has no row, and would empty any
 * other. An empty one is marked as ours, and one without a mark that `hasOutcome` to be.
 */
export async function claimStorage(
	storage: ClaimableStorage,
	installationId: string,
	isKnown: () => Promise<boolean> = async () => false,
): Promise<StorageOwner> {
	const marker = (await findMarker(storage)) ?? (await writeMarker(storage, installationId, isKnown));
	if (marker === null) return 'something else';
	return marker === installationId ? 'ours' : 'another installation';
}

async function findMarker(storage: ClaimableStorage): Promise<string | null> {
	try {
		return (await text(await storage.read(markerKey))).trim();
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
		throw error;
	}
}

/** @returns what stands there afterwards, or null where there is something else already */
async function writeMarker(
	storage: ClaimableStorage,
	installationId: string,
	isKnown: () => Promise<boolean>,
): Promise<string | null> {
	// Not empty: it may be by another process of ours, which started at the same moment.
	if ((await storage.isEmpty()) || (await isKnown())) await storage.put(markerKey, Buffer.from(`${installationId}\n`));
	return findMarker(storage);
}
