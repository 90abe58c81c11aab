import type { Db } from '../../../platform/database/schema.ts';
import { listJobPayloads } from '../../../platform/jobs/jobs.ts';

export const copyJob = 'folder-copy';

/** A folder on the path from the copied folder to the current position. */
export interface CopyFrame {
	sourceId: string;
	copyId: string;
	realPath: string;
	/** Name key of the child that was copied last. */
	afterKey: string;
}

/** Progress of copying a folder, stored with the job. Its size depends on the folder's depth, not on its contents. */
export interface CopyJobPayload {
	/** Id of the copy's outermost folder; the folder's row has the current location. */
	rootId: string;
	ownerId: string;
	name: string;
	/** The user who requested the copy, with their IP address. */
	by: { actor: { userId: string; email: string } | null; ip: string };
	/** Total size of the source as measured at the start, and the size copied so far, in bytes. */
	totalBytes: number;
	copiedBytes: number;
	/** From the outermost folder to the current one; empty when everything is copied. */
	stack: CopyFrame[];
}

/** Sums the bytes that running copies have yet to add to a space. */
export async function sumPendingCopyBytes(db: Db, ownerId: string): Promise<number> {
	let bytes = 0;
	for (const payload of await listJobPayloads(db, copyJob)) {
		const work = payload as Partial<CopyJobPayload>;
		if (work.ownerId === ownerId) bytes += Math.max(0, (work.totalBytes ?? 0) - (work.copiedBytes ?? 0));
	}
	return bytes;
}
