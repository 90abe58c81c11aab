import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataStore } from '@tus/server';
import type { Deps } from '../../../../platform/deps.ts';
import { discardFileHash } from '../../../../platform/storage/hashing/hashing.ts';
import type { StoredBytes, UploadKeys } from '../../../../platform/storage/storage.ts';
import type { UploadRow } from '../uploads.queries.ts';
import { HashingFileStore } from './hashing-file-store.ts';

/** Stores the bytes of an unfinished upload until it becomes a file: in a local folder, or in the remote store. */
export interface UploadStorage {
	/** Creates the data store of tus. Its `remove` is replaced by the caller. */
	createStore(deps: Deps): DataStore;
	/** Returns the number of bytes that are safely stored, even after an interrupted finish. */
	countArrivedBytes(deps: Deps, upload: UploadRow): Promise<number>;
	/** Whether the upload can continue; false when the process was killed while it began the upload. */
	isReady(deps: Deps, upload: UploadRow): Promise<boolean>;
	/** Assembles a complete upload; can be repeated. @throws AppError UPLOAD_OFFSET when bytes are missing */
	assemble(deps: Deps, upload: UploadRow): Promise<StoredBytes>;
	/** Removes bytes of the upload, except those stored under the storage key of the file. */
	forget(deps: Deps, keys: UploadKeys): Promise<void>;
}

export function uploadFolder(deps: Deps): string {
	return join(deps.config.DATA_DIR, 'uploads');
}

const chunksPathOf = (deps: Deps, id: string) => join(uploadFolder(deps), id);
/** File in which tus stores the metadata until the upload is complete. */
const metadataPathOf = (deps: Deps, id: string) => join(uploadFolder(deps), `${id}.json`);

/** Stores uploads in a folder beside the storage, and moves each complete upload into the storage. */
export const localUploadStorage: UploadStorage = {
	createStore: (deps) => new HashingFileStore({ directory: uploadFolder(deps) }),

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

	assemble: (deps, upload) => deps.storage.adopt(upload.storage_key, chunksPathOf(deps, upload.id), upload.size_bytes),

	async forget(deps, { id }) {
		discardFileHash(chunksPathOf(deps, id));
		await rm(chunksPathOf(deps, id), { force: true });
		await rm(metadataPathOf(deps, id), { force: true });
	},
};
