import { AppError, type ErrorCode, required } from '../../../platform/app-error.ts';
import { pathBelow } from '../../../platform/database/folder-paths.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { findLiveNode, type TargetFolder } from '../tree/nodes.ts';
import { findNodeIncludingTrashed, findNodes } from '../tree/tree.queries.ts';
import type { UploadRow } from './uploads.queries.ts';

/** Errors of finishing that users can resolve. The bytes are kept, so that finishing can be requested again. */
const recoverableCodes: readonly ErrorCode[] = ['FOLDER_GONE', 'QUOTA_EXCEEDED', 'QUOTA_NEEDS_BOTH'];

/** Returns the folder of an upload at its current path. @throws AppError FOLDER_GONE when it is deleted */
export async function getTargetFolder(db: Db, upload: UploadRow): Promise<TargetFolder> {
	if (upload.parent_id === null) return { id: null, path: '' };
	const folder = required(await findLiveNode(db, upload.parent_id), 'FOLDER_GONE');
	return { id: folder.id, path: pathBelow(folder) };
}

/**
 * Whether to keep an upload whose finish failed: after an unexpected or temporary error, and after an error that users
 * can resolve, unless the folder of the upload was permanently deleted.
 */
export async function isRecoverable(db: Db, upload: UploadRow, error: unknown): Promise<boolean> {
	if (!(error instanceof AppError) || isTemporary(error)) return true;
	if (!recoverableCodes.includes(error.code)) return false;
	if (error.code !== 'FOLDER_GONE') return true;
	return upload.parent_id !== null && (await findNodeIncludingTrashed(db, upload.parent_id)) !== undefined;
}

/** Whether an error does not concern the upload itself, so that a later attempt may succeed. */
export function isTemporary(error: AppError): boolean {
	return error.status >= 500 || error.code === 'UPLOAD_LOCKED' || error.code === 'UPLOAD_OFFSET';
}

/** Returns uploads with the current paths of their folders. Uploads into deleted folders are left out. */
export async function withCurrentPaths(db: Db, uploads: UploadRow[]): Promise<UploadRow[]> {
	const ids = [...new Set(uploads.flatMap(({ parent_id }) => parent_id ?? []))];
	const folders = ids.length === 0 ? [] : await findNodes(db, ids);
	const paths = new Map(folders.map((folder) => [folder.id, pathBelow(folder)]));
	return uploads.flatMap((upload) => {
		const path = upload.parent_id === null ? '' : paths.get(upload.parent_id);
		return path === undefined ? [] : [{ ...upload, path }];
	});
}
