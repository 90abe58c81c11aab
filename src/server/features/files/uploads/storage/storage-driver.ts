import type { Deps } from '../../../../platform/deps.ts';
import { localUploadStorage } from './local-upload-storage.ts';
import { multipartUploadStorage } from './multipart-upload-storage.ts';
import type { UploadStorage } from './upload-storage.ts';

/** Returns the driver: a store collects the parts itself, for any process to continue; a disk uses a folder. */
export function uploadStorageOf(deps: Deps): UploadStorage {
	return deps.storage.multipart === null ? localUploadStorage : multipartUploadStorage;
}
