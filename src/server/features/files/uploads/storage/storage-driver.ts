import type { Deps } from '../../../../platform/deps.ts';
import { localUploadStorage } from './local-upload-storage.ts';
import { multipartUploadStorage } from './multipart-upload-storage.ts';
import type { UploadStorage } from './upload-storage.ts';

/**
 * A store with multipart uploads collects the parts itself, so that any process can continue; a disk uses a folder for
 * chunks.
 */
export function uploadStorageOf(deps: Deps): UploadStorage {
	return deps.storage.multipart === null ? localUploadStorage : multipartUploadStorage;
}
