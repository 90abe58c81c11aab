import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { FileStore } from '@tus/file-store';
import type { Deps } from '../../../../platform/deps.ts';
import type { UploadStorage } from './upload-storage.ts';

export function uploadFolder(deps: Deps): string {
	return join(deps.config.DATA_DIR, 'uploads');
}

const chunksPathOf = (deps: Deps, id: string) => join(uploadFolder(deps), id);
/** tus keeps the metadata next to the chunks until the file exists. */
const metadataPathOf = (deps: Deps, id: string) => join(uploadFolder(deps), `${id}.json`);

/** Collects uploads in a folder beside the storage and moves each complete one into the storage. */
export const localUploadStorage: UploadStorage = {
	createStore: (deps) => new FileStore({ directory: uploadFolder(deps) }),

	async countArrivedBytes(deps, upload) {
		// Checked in the order in which a finish moves the bytes; the other order could miss them during a concurrent
		// finish.
		const chunks = await stat(chunksPathOf(deps, upload.id)).catch(() => null);
		return chunks?.size ?? (await deps.storage.findSize(upload.storage_key)) ?? 0;
	},

	async isReady(deps, { id }) {
		try {
			JSON.parse(await readFile(metadataPathOf(deps, id), 'utf8'));
			return true;
		} catch {
			return false;
		}
	},

	assemble: (deps, upload) => deps.storage.adopt(upload.storage_key, chunksPathOf(deps, upload.id)),

	async forget(deps, { id }) {
		await rm(chunksPathOf(deps, id), { force: true });
		await rm(metadataPathOf(deps, id), { force: true });
	},
};
