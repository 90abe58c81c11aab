import type { DataStore } from '@tus/server';
import { type UploadConflict, uploadConflicts } from '#contract/files/uploads.ts';
import type { Deps } from '../../../../platform/deps.ts';
import type { StoredBytes, UploadKeys } from '../../../../platform/storage/storage.ts';
import type { UploadRow } from '../uploads.queries.ts';

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

/** Reads the conflict mode from an upload's metadata; the default is `skip`. */
export function parseConflict(value: unknown): UploadConflict {
	return uploadConflicts.find((conflict) => conflict === value) ?? 'skip';
}
