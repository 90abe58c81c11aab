import type { Db } from '../../../platform/database/schema.ts';
import { listJobPayloads } from '../../../platform/jobs/jobs.ts';

export const copyJob = 'folder-copy';

/** A folder on the way from the copied one down to where the work stands. */
export interface CopyFrame {
	sourceId: string;
	copyId: string;
	/** Of the copy. */
	realPath: string;
	/** Comparable name of the last child that was copied. */
	afterKey: string;
}

/**
 * A folder that is being copied: its copy is not to be seen until the last row is there. It is kept with the job, and
 * grows with the depth of the folder alone, never with what lies in it.
 */
export interface CopyJobPayload {
	/** The copy's outermost folder; where it stands, only its row says. */
	rootId: string;
	ownerId: string;
	name: string;
	/** Who asked for it, from where. */
	by: { actor: { userId: string; email: string } | null; ip: string };
	/** Bytes that were found when it began, and those of them that are there. */
	totalBytes: number;
	copiedBytes: number;
	/** From the outermost folder to the one being copied; empty when everything is there. */
	stack: CopyFrame[];
}

/** Bytes that copies under way are still to bring into a space. */
export async function sumPendingCopyBytes(db: Db, ownerId: string): Promise<number> {
	let bytes = 0;
	for (const payload of await listJobPayloads(db, copyJob)) {
		const work = payload as Partial<CopyJobPayload>;
		if (work.ownerId === ownerId) bytes += Math.max(0, (work.totalBytes ?? 0) - (work.copiedBytes ?? 0));
	}
	return bytes;
}
