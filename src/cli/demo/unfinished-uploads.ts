import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { signOut } from '#server/features/accounts/sign-in/sign-in.service.ts';
import { uploadFolder } from '#server/features/files/uploads/storage/local-upload-storage.ts';
import { appendUploadBytes, beginUpload } from '#server/features/files/uploads/uploads.service.ts';
import type { Deps } from '#server/platform/deps.ts';
import { newId } from '#server/platform/ids.ts';
import { callerFor } from './accounts.ts';
import type { DepsAt } from './sample-data.ts';

const mebibyte = 1024 * 1024;

/** Space, name of the file, its size, and the size of the received part, in MiB. */
const uploads = [
	['guest', 'Evening with the founders, uncut.mp4', 96, 41],
	['asha.verma@example.com', 'Scans of the ledger.zip', 38, 31],
] as const;

/** Seeds unfinished uploads of a user, as if the user had closed the tab. The screen offers to resume them. */
export async function seedUnfinishedUploads(at: DepsAt, email: string): Promise<void> {
	const then = at(1, '18:40');
	const caller = await callerFor(then, email);
	for (const [owner, name, size, arrived] of uploads) {
		const id = newId();
		await beginUpload(then, caller, id, { owner, path: '', name, sizeBytes: size * mebibyte });
		await writeReceivedBytes(then, id, arrived * mebibyte);
	}
	await signOut(then, caller);
}

async function writeReceivedBytes(deps: Deps, id: string, sizeBytes: number): Promise<void> {
	const isOnStore = deps.storage.multipart !== null;
	const piece = Buffer.alloc(mebibyte);
	await appendUploadBytes(deps, id, Readable.from(isOnStore ? Array<Buffer>(sizeBytes / mebibyte).fill(piece) : []));
	if (isOnStore) return;
	const chunks = await open(join(uploadFolder(deps), id), 'r+');
	// Makes a sparse file, which uses no disk space.
	await chunks.truncate(sizeBytes);
	await chunks.close();
}
