import type { Deps } from '../../../platform/deps.ts';
import { localUploadStorage } from './local-upload-storage.ts';
import { multipartUploadStorage } from './multipart-upload-storage.ts';
import type { UploadStorage } from './upload-storage.ts';

/** A store that takes parts has them from the first on, so that any process can go on; a disk has a folder for chunks. */
export function uploadStorageOf(deps: Deps): UploadStorage {
	return deps.storage.multipart === null ? localUploadStorage : multipartUploadStorage;
}
