import { open } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { Readable } from 'node:stream';
import { signOut } from '#server/features/accounts/sign-in/sign-in.service.ts';
import { listFolder } from '#server/features/files/listing/listing.service.ts';
import { createFolder } from '#server/features/files/tree/tree.service.ts';
import { uploadFolder } from '#server/features/files/uploads/storage/local-upload-storage.ts';
import { appendUploadBytes, beginUpload, finishUpload } from '#server/features/files/uploads/uploads.service.ts';
import type { Caller } from '#server/platform/actor.ts';
import type { Deps } from '#server/platform/deps.ts';
import { newId } from '#server/platform/ids.ts';
import { callerFor } from './accounts.ts';
import { type DepsAt, readSample, readTable } from './sample-data.ts';

/** Creates the folders and files of `demo/tables/files.csv` in the book's space, or in all other spaces, as the admin. */
export async function fillSpaces(at: DepsAt, admin: Caller, which: 'book' | 'others'): Promise<void> {
	const realPaths = new Map<string, string>();
	for (const { space: owner = '', daysAgo, time = '', path = '', file = '' } of readTable('files')) {
		if ((owner === 'book') !== (which === 'book')) continue;
		const then = at(Number(daysAgo), time);
		const above = realPaths.get(posix.join(owner, posix.dirname(path))) ?? '';
		const place = { owner, path: above, name: posix.basename(path) };
		if (file === '') {
			const { realPath } = await createFolder(then, admin, place);
			realPaths.set(posix.join(owner, path), posix.join(above, String(realPath)));
			continue;
		}
		const bytes = await readSample(file);
		const id = newId();
		await beginUpload(then, admin, id, { ...place, sizeBytes: bytes.length });
		await appendUploadBytes(then, id, Readable.from([bytes]));
		await finishUpload(then, admin, id);
	}
}

export async function findNodeId(deps: Deps, caller: Caller, owner: string, name: string): Promise<string> {
	const page = { path: '', type: 'all', sort: 'name', order: 'asc', limit: 50 } as const;
	const { items } = await listFolder(deps, caller, { owner, search: name, ...page });
	const node = items.find((item) => item.name === name);
	if (node === undefined) throw new Error(`${name} is not in the space of ${owner}.`);
	return node.id;
}

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
	const chunk = Buffer.alloc(mebibyte);
	await appendUploadBytes(deps, id, Readable.from(isOnStore ? Array<Buffer>(sizeBytes / mebibyte).fill(chunk) : []));
	if (isOnStore) return;
	const file = await open(join(uploadFolder(deps), id), 'r+');
	// Makes a sparse file, which uses no disk space.
	await file.truncate(sizeBytes);
	await file.close();
}
