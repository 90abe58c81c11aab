import { defaultFilesSettings, type FilesSettings, filesSettings } from '#contract/files/spaces.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { formatSize } from '../../../platform/format.ts';
import { getSetting, type StoredSetting } from '../../settings/index.ts';
import { sumPendingCopyBytes } from '../copy-move/copy-job-payload.ts';
import { findSpaceUsage, sumPendingUploadBytes } from './spaces.queries.ts';

export const filesSetting: StoredSetting<FilesSettings> = { key: 'files', defaults: defaultFilesSettings };

/** The settings of files; what was never saved has its default. `version` is 0 then. */
export async function getFilesSettings(db: Db): Promise<FilesSettings & { version: number }> {
	const { value, version } = await getSetting(db, filesSetting);
	return { ...filesSettings.parse(value), version };
}

/**
 * @param isReplacing it takes a file's place, which counts beside it as long as it lies in the trash
 * @throws AppError QUOTA_EXCEEDED, QUOTA_NEEDS_BOTH when a space cannot take these bytes beside what it holds
 */
export async function requireQuota(db: Db, ownerId: string, sizeBytes: number, isReplacing = false): Promise<void> {
	await requireWithinQuota(db, ownerId, { sizeBytes, isReplacing, sumPendingBytes: async () => 0 });
}

/** The same before bytes are promised to anybody: what uploads and copies under way are to bring counts as if it were there. */
export async function requireQuotaWithPending(
	db: Db,
	ownerId: string,
	sizeBytes: number,
	isReplacing = false,
): Promise<void> {
	const sumPendingBytes = async () =>
		(await sumPendingUploadBytes(db, ownerId)) + (await sumPendingCopyBytes(db, ownerId));
	await requireWithinQuota(db, ownerId, { sizeBytes, isReplacing, sumPendingBytes });
}

/** The same for a step of a copy under way: its bytes were promised, but the quota or the folder may have changed since. */
export async function requireQuotaForCopyStep(db: Db, ownerId: string, sizeBytes: number): Promise<void> {
	await requireWithinQuota(db, ownerId, {
		sizeBytes,
		isReplacing: false,
		sumPendingBytes: () => sumPendingUploadBytes(db, ownerId),
	});
}

interface QuotaRequest {
	sizeBytes: number;
	isReplacing: boolean;
	sumPendingBytes: () => Promise<number>;
}

async function requireWithinQuota(db: Db, ownerId: string, request: QuotaRequest): Promise<void> {
	const { sizeBytes, isReplacing, sumPendingBytes } = request;
	const { usedBytes, quotaBytes } = await getSpaceUsage(db, ownerId);
	if (quotaBytes === null) return;
	const freeBytes = Math.max(0, quotaBytes - usedBytes - (await sumPendingBytes()));
	if (sizeBytes <= freeBytes) return;
	const code = isReplacing ? 'QUOTA_NEEDS_BOTH' : 'QUOTA_EXCEEDED';
	throw new AppError(code, { params: { free: formatSize(freeBytes), quota: formatSize(quotaBytes) } });
}

/** What a space holds, its trash included, and may hold: its own quota or the default; null for no limit. */
export async function getSpaceUsage(
	db: Db,
	ownerId: string,
): Promise<{ usedBytes: number; quotaBytes: number | null }> {
	const usage = await findSpaceUsage(db, ownerId);
	const quotaBytes = usage?.quotaBytes ?? (await getFilesSettings(db)).quotaBytes;
	return { usedBytes: usage?.usedBytes ?? 0, quotaBytes };
}
