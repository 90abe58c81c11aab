import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { receiveHere, uploadFolder } from '#server/features/uploads/uploads.service.ts';
import type { Deps } from '#server/platform/deps.ts';
import { testStorage } from './s3.ts';

/** Whether this run's uploads gather in a folder, and not on the store itself. */
export const gathersInFolder = testStorage === 'disk';

/** More bytes have arrived, and where they are the last, the finish never ran: as after kill -9 at that moment. */
export function arriveHere(deps: Deps, id: string, bytes: Buffer): Promise<void> {
	return receiveHere(deps, id, Readable.from([bytes]));
}

/** What lies of an unfinished upload outside its place, by name. */
export async function findGathered(deps: Deps, id: string): Promise<string[]> {
	const { multipart } = deps.storage;
	if (multipart === null) {
		const names = await readdir(uploadFolder(deps)).catch(() => []);
		return names.filter((name) => name.startsWith(id));
	}
	const found: string[] = [];
	for await (const { key } of deps.storage.list()) if (key.startsWith(`uploads/${id}/`)) found.push(key);
	return found;
}

/** Until some of the bytes that were sent have reached the server. */
export async function untilBytesCame(deps: Deps, id: string): Promise<void> {
	// On a store they are in memory, where nobody can look, until there are enough or the line breaks.
	if (deps.storage.multipart !== null) return sleep(300);
	const chunks = join(uploadFolder(deps), id);
	while (((await stat(chunks).catch(() => null))?.size ?? 0) === 0) await sleep(20);
}
