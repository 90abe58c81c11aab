import type { DataStore } from '@tus/server';
import { type UploadConflict, uploadConflicts } from '#contract/uploads/uploads.ts';
import type { Deps } from '../../../platform/deps.ts';
import type { StoredBytes, UploadKeys } from '../../../platform/storage/storage.ts';
import type { UploadRow } from '../uploads.queries.ts';

/** How the bytes of unfinished uploads are kept until each is a file: in a local folder, or on the store itself. */
export interface UploadStorage {
	/** What tus asks and writes to. `forget` drops an upload whole. */
	createStore(deps: Deps, discard: (id: string) => Promise<void>): DataStore;
	/** Bytes that have arrived and are safe, wherever a cut-off finish has left them. */
	countArrivedBytes(deps: Deps, upload: UploadRow): Promise<number>;
	/**
	 * What was fixed at the beginning besides owner, folder and name. Undefined for an upload of whose beginning only half
	 * was written when the process died: it has to begin anew.
	 */
	findMetadata(deps: Deps, upload: UploadRow): Promise<{ conflict: UploadConflict } | undefined>;
	/**
	 * Puts a complete upload under its storage key; can be repeated after a cut-off at any point.
	 * @throws AppError UPLOAD_OFFSET when its bytes are gone: it begins anew
	 */
	assemble(deps: Deps, upload: UploadRow): Promise<StoredBytes>;
	/** Removes what lies elsewhere than under the storage key. */
	forget(deps: Deps, places: UploadKeys): Promise<void>;
}

/** What an upload's metadata says about a taken name; without a word, it is left out. */
export function parseConflict(value: unknown): UploadConflict {
	return uploadConflicts.find((each) => each === value) ?? 'skip';
}
