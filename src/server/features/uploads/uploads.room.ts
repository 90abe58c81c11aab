import type { Db } from '../../db/schema.ts';
import { AppError } from '../../platform/app-error.ts';
import { isoAt } from '../../platform/clock.ts';
import type { Deps } from '../../platform/deps.ts';
import { getFreeBytes } from '../../platform/storage/free-space.ts';
import { uploadBytesOf } from './uploads.driver.ts';
import * as queries from './uploads.queries.ts';

/** Who has not come back for so long holds no room for others. */
const heldSeconds = 24 * 3600;

/** What the disk has to give, as it was when it was asked. */
export interface Room {
	freeBytes: number;
	/** What has arrived of uploads under way: it is not free any more, and announced all the same. */
	arrivedBytes: number;
}

/** Asks the disk; to be done before the transaction in which {@link requireRoomBeside} says whether it is enough. */
export async function findRoom(deps: Deps, sizeBytes: number): Promise<Room> {
	const freeBytes = await getFreeBytes(deps.storage);
	const since = isoAt(deps.clock, -heldSeconds);
	const announced = await queries.sumAnnouncedSince(deps.db, since);
	// Only where it may be short is it worth looking at every upload.
	if ((announced + sizeBytes) * 2 < freeBytes) return { freeBytes, arrivedBytes: 0 };
	let arrivedBytes = 0;
	for (const upload of await queries.listUnfinishedUploads(deps.db))
		if (upload.created_at > since) arrivedBytes += await uploadBytesOf(deps).countArrived(deps, upload);
	return { freeBytes, arrivedBytes };
}

/**
 * Inside the transaction that announces an upload: the disk can take it beside all that were announced before.
 * @throws AppError STORAGE_FULL
 */
export async function requireRoomBeside(deps: Deps, tx: Db, room: Room, sizeBytes: number): Promise<void> {
	await queries.lockAnnouncing(tx);
	const announced = await queries.sumAnnouncedSince(tx, isoAt(deps.clock, -heldSeconds));
	if (room.freeBytes + room.arrivedBytes - announced < sizeBytes) throw new AppError('STORAGE_FULL');
}
