import type { DataStore } from '@tus/server';
import { type UploadConflict, uploadConflicts } from '#contract/files/uploads.ts';
import type { Deps } from '../../../../platform/deps.ts';
import type { StoredBytes, UploadKeys } from '../../../../platform/storage/storage.ts';
import type { UploadRow } from '../uploads.queries.ts';

/** Keeps the bytes of unfinished uploads until each becomes a file: in a local folder, or on the store itself. */
export interface UploadStorage {
	/** Creates the data store that tus reads from and writes to. `discard` deletes an upload completely. */
	createStore(deps: Deps, discard: (id: string) => Promise<void>): DataStore;
	/** Returns the number of bytes that are safely stored, even after an interrupted finish. */
	countArrivedBytes(deps: Deps, upload: UploadRow): Promise<number>;
	/**
	 * Returns what was fixed at the start besides owner, folder and name. Undefined when the process died while the start
	 * was being written: the upload has to start again.
	 */
	findMetadata(deps: Deps, upload: UploadRow): Promise<{ conflict: UploadConflict } | undefined>;
	/** Assembles a complete upload; can be repeated. @throws AppError UPLOAD_OFFSET when bytes are missing */
	assemble(deps: Deps, upload: UploadRow): Promise<StoredBytes>;
	/** Removes what is stored elsewhere than under the storage key. */
	forget(deps: Deps, places: UploadKeys): Promise<void>;
}

/** Reads the conflict mode from an upload's metadata; the default is `skip`. */
export function parseConflict(value: unknown): UploadConflict {
	return uploadConflicts.find((each) => each === value) ?? 'skip';
}
