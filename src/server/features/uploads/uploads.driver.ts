import type { Deps } from '../../platform/deps.ts';
import type { UploadBytes } from './uploads.bytes.ts';
import { folderBytes } from './uploads.chunks.ts';
import { storeBytes } from './uploads.parts.ts';

/** A store that takes parts has them from the first on, so that any process can go on; a disk has a folder for chunks. */
export function uploadBytesOf(deps: Deps): UploadBytes {
	return deps.storage.multipart === null ? folderBytes : storeBytes;
}
