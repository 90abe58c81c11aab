import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { FileStore } from '@tus/file-store';
import type { Deps } from '../../../../platform/deps.ts';
import type { UploadStorage } from './upload-storage.ts';

export function uploadFolder(deps: Deps): string {
	return join(deps.config.DATA_DIR, 'uploads');
}

const chunksPathOf = (deps: Deps, id: string) => join(uploadFolder(deps), id);
/** File in which tus stores the metadata until the upload is complete. */
const metadataPathOf = (deps: Deps, id: string) => join(uploadFolder(deps), `${id}.json`);

/** Stores uploads in a folder beside the storage, and moves each complete upload into the storage. */
export const localUploadStorage: UploadStorage = {
	createStore: (deps) => new FileStore({ directory: uploadFolder(deps) }),

	async countArrivedBytes(deps, upload) {
		// The upload folder is checked first. In the other order, a concurrent finish could move the bytes between the
		// checks, and both would find nothing.
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
