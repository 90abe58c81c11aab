import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { ignoreMissingFile, type Storage } from './storage.ts';

/** Key of the marker file, which contains the id of the installation that owns the folder or bucket. */
export const markerKey = '.folio';

const markerReads = 5;

/** The part of a storage that is needed to check its owner before it is used. */
export interface ClaimableStorage extends Pick<Storage, 'read' | 'put'> {
	isEmpty(): Promise<boolean>;
}

type StorageOwner = 'ours' | 'another installation' | 'something else';

/**
 * Checks which installation owns a storage. An empty storage, or one for which `isKnown` returns true, is marked as
 * ours. Without the check, maintenance would delete the files of another installation, because they have no rows.
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
	const marker = await storage.read(markerKey).catch(ignoreMissingFile);
	return marker && (await text(marker)).trim();
}

/** @returns the marker that is stored afterwards, or null if the storage has other content */
async function writeMarker(storage: ClaimableStorage, installationId: string, isKnown: () => Promise<boolean>) {
	if (!(await storage.isEmpty()) && !(await isKnown())) return findMarker(storage);
	await storage.put(markerKey, Buffer.from(`${installationId}\n`));
	// Read back, because another process may have written a marker at the same moment. Read several times, because Swift
	// can return 404 for an object that is being overwritten.
	for (let attempt = 1; ; attempt++) {
		const marker = await findMarker(storage);
		if (marker !== null || attempt === markerReads) return marker;
		await setTimeout(100);
	}
}
