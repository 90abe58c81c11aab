import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { FileStore } from '@tus/file-store';
import * as z from 'zod';
import type { Deps } from '../../../../platform/deps.ts';
import { parseConflict, type UploadStorage } from './upload-storage.ts';

export function uploadFolder(deps: Deps): string {
	return join(deps.config.DATA_DIR, 'uploads');
}

const chunksPathOf = (deps: Deps, id: string) => join(uploadFolder(deps), id);
/** tus keeps the metadata next to the chunks until the file exists. */
const metadataPathOf = (deps: Deps, id: string) => join(uploadFolder(deps), `${id}.json`);
const metadataSchema = z.object({ metadata: z.record(z.string(), z.unknown()).nullish() });

/** Collects uploads in a folder beside the storage and moves each complete one into the storage. */
export const localUploadStorage: UploadStorage = {
	createStore: (deps, forget) => new ChunkStore(uploadFolder(deps), forget),

	async countArrivedBytes(deps, upload) {
		// Checked in the order in which a finish moves the bytes; the other order could miss them during a concurrent
		// finish.
		const chunks = await stat(chunksPathOf(deps, upload.id)).catch(() => null);
		return chunks?.size ?? (await deps.storage.findSize(upload.storage_key)) ?? 0;
	},

	async findMetadata(deps, upload) {
		try {
			const { metadata } = metadataSchema.parse(JSON.parse(await readFile(metadataPathOf(deps, upload.id), 'utf8')));
			return { conflict: parseConflict(upload.conflict ?? metadata?.conflict) };
		} catch {
			return undefined;
		}
	},

	assemble: (deps, upload) => deps.storage.adopt(upload.storage_key, chunksPathOf(deps, upload.id)),

	async forget(deps, { id }) {
		await rm(chunksPathOf(deps, id), { force: true });
		await rm(metadataPathOf(deps, id), { force: true });
	},
};

/** Stores the chunks. A cancelled upload is deleted completely before its cancellation is answered. */
class ChunkStore extends FileStore {
	readonly #forget: (id: string) => Promise<void>;

	constructor(directory: string, forget: (id: string) => Promise<void>) {
		super({ directory });
		this.#forget = forget;
	}

	override remove(id: string): Promise<void> {
		return this.#forget(id);
	}
}
