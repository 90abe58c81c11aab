import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { signOut } from '#server/features/accounts/sign-in/sign-in.service.ts';
import { uploadFolder } from '#server/features/files/uploads/storage/local-upload-storage.ts';
import { appendUploadBytes, beginUpload } from '#server/features/files/uploads/uploads.service.ts';
import type { Deps } from '#server/platform/deps.ts';
import { newId } from '#server/platform/ids.ts';
import { callerFor } from './accounts.ts';
import { type Calendar, depsAt } from './calendar.ts';

const mebibyte = 1024 * 1024;

/** Seeds unfinished uploads of a user, as after closing the tab; the screen offers to resume them. */
export async function seedUnfinishedUploads(deps: Deps, calendar: Calendar, email: string): Promise<void> {
	const left = [
		{
			owner: 'guest',
			name: 'Evening with the founders, uncut.mp4',
			sizeBytes: 96 * mebibyte,
			arrivedBytes: 41 * mebibyte,
		},
		{
			owner: 'asha.verma@example.com',
			name: 'Scans of the ledger.zip',
			sizeBytes: 38 * mebibyte,
			arrivedBytes: 31 * mebibyte,
		},
	];
	const then = depsAt(deps, calendar(1, '18:40'));
	const caller = await callerFor(then, email);
	for (const { owner, name, sizeBytes, arrivedBytes } of left) {
		const id = newId();
		await beginUpload(then, caller, id, { owner, path: '', name, sizeBytes });
		await writeReceivedBytes(then, id, arrivedBytes);
	}
	await signOut(then, caller);
}

/** Writes zero bytes as the received part of an upload. */
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
