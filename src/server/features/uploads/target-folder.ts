import { AppError, type ErrorCode } from '../../platform/app-error.ts';
import type { Db } from '../../platform/database/schema.ts';
import * as files from '../files/index.ts';
import type { UploadRow } from './uploads.queries.ts';

/** Refusals of a whole upload that somebody can cure: its bytes are kept, and its finish can be asked for again. */
const recoverableCodes: readonly ErrorCode[] = ['FOLDER_GONE', 'QUOTA_EXCEEDED', 'QUOTA_NEEDS_BOTH'];

/** The folder that an upload goes into, where it stands now. @throws AppError FOLDER_GONE when it is deleted */
export async function getTargetFolder(db: Db, upload: UploadRow): Promise<files.TargetFolder> {
	if (upload.parent_id === null) return { id: null, path: '' };
	const folder = await files.findLiveNode(db, upload.parent_id);
	if (folder === undefined) throw new AppError('FOLDER_GONE');
	return { id: folder.id, path: files.pathBelow(folder) };
}

/** Whether it makes sense to keep an upload that was refused at its finish: not when its folder can never come back. */
export async function isRecoverable(db: Db, upload: UploadRow, error: unknown): Promise<boolean> {
	if (!(error instanceof AppError) || isTemporary(error)) return true;
	if (!recoverableCodes.includes(error.code)) return false;
	if (error.code !== 'FOLDER_GONE') return true;
	return upload.parent_id !== null && (await files.findNodeIncludingTrashed(db, upload.parent_id)) !== undefined;
}

/** Whether a refusal says nothing about the upload itself: the next try may come at a better moment. */
export function isTemporary(error: AppError): boolean {
	return error.status >= 500 || error.code === 'UPLOAD_LOCKED' || error.code === 'UPLOAD_OFFSET';
}

/** Some uploads into one space with the paths where their folders stand now; without those whose folder is deleted. */
export async function withCurrentPaths(db: Db, uploads: UploadRow[]): Promise<UploadRow[]> {
	const ids = [...new Set(uploads.flatMap(({ parent_id }) => parent_id ?? []))];
	const folders = ids.length === 0 ? [] : await files.findNodes(db, ids);
	const paths = new Map(folders.map((folder) => [folder.id, files.pathBelow(folder)]));
	return uploads.flatMap((upload) => {
		const path = upload.parent_id === null ? '' : paths.get(upload.parent_id);
		return path === undefined ? [] : [{ ...upload, path }];
	});
}
