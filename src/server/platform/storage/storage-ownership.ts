import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import type { Storage } from './storage.ts';

/** Key of the marker, which has the id of the installation that owns the folder or bucket. */
export const markerKey = '.folio';

const markerReads = 5;

/** A storage whose ownership has to be checked before anything is stored in it. */
export interface ClaimableStorage extends Pick<Storage, 'read' | 'put'> {
	isEmpty(): Promise<boolean>;
}

type StorageOwner = 'ours' | 'another installation' | 'something else';

/** Checks that a storage is ours, because maintenance deletes what has no row; claims an empty or a known one. */
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

/** @returns the marker that is stored afterwards, or null if the storage has other content */
async function writeMarker(
	storage: ClaimableStorage,
	installationId: string,
	isKnown: () => Promise<boolean>,
): Promise<string | null> {
	if (!(await storage.isEmpty()) && !(await isKnown())) return findMarker(storage);
	await storage.put(markerKey, Buffer.from(`${installationId}\n`));
	// The marker is read back, because another process may have written it at the same moment. Swift can return 404 for an
	// object that is overwritten just then.
	for (let attempt = 1; ; attempt++) {
		const marker = await findMarker(storage);
		if (marker !== null || attempt === markerReads) return marker;
		await setTimeout(100);
	}
}
