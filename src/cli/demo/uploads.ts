import { mkdir, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { signOut } from '#server/features/account/sign-in.service.ts';
import { beginUpload, uploadFolder } from '#server/features/uploads/uploads.service.ts';
import type { Deps } from '#server/platform/deps.ts';
import { newId } from '#server/platform/ids.ts';
import { type Calendar, depsAt } from './calendar.ts';
import { callerFor } from './people.ts';

const mebibyte = 1024 * 1024;

/** Uploads that somebody began and left by closing the tab: they are offered again on return. */
export async function leaveUploads(deps: Deps, calendar: Calendar, email: string): Promise<void> {
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
	await mkdir(uploadFolder(then), { recursive: true });
	for (const { owner, name, sizeBytes, arrivedBytes } of left) {
		const id = newId();
		await beginUpload(then, caller, id, { owner, path: '', name, sizeBytes });
		const chunks = await open(join(uploadFolder(then), id), 'w');
		// A hole in the file: it takes no room on the disk.
		await chunks.truncate(arrivedBytes);
		await chunks.close();
		// As the file store of tus describes what gathers there.
		const description = { id, size: sizeBytes, offset: 0, metadata: { filename: name } };
		await writeFile(join(uploadFolder(then), `${id}.json`), JSON.stringify(description));
	}
	await signOut(then, caller);
}
