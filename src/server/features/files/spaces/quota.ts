import { defaultFilesSettings, type FilesSettings, filesSettings } from '#contract/files/spaces.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { formatSize } from '../../../platform/format.ts';
import { getSetting, type StoredSetting } from '../../settings/index.ts';
import { sumPendingCopyBytes } from '../copy-move/copy-job-payload.ts';
import { findSpaceUsage, sumPendingUploadBytes } from './spaces.queries.ts';

export const filesSetting: StoredSetting<FilesSettings> = { key: 'files', defaults: defaultFilesSettings };

/** Returns the settings of files, with defaults for what was never saved; `version` is then 0. */
export async function getFilesSettings(db: Db): Promise<FilesSettings & { version: number }> {
	const { value, version } = await getSetting(db, filesSetting);
	return { ...filesSettings.parse(value), version };
}

/**
 * @param isReplacing the bytes replace a file that still counts while it is in the trash
 * @throws AppError QUOTA_EXCEEDED, QUOTA_NEEDS_BOTH when these bytes do not fit into a space's quota
 */
export async function requireQuota(db: Db, ownerId: string, sizeBytes: number, isReplacing = false): Promise<void> {
	await requireWithinQuota(db, ownerId, { sizeBytes, isReplacing, sumPendingBytes: async () => 0 });
}

/** The same before an upload or copy starts: what running ones have yet to add counts as well. */
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

/** The same for a step of a copy, counted at the start: the quota or folder may have changed. */
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

/** Returns what a space holds, including its trash, and its quota (its own or the default); null for no limit. */
export async function getSpaceUsage(
	db: Db,
	ownerId: string,
): Promise<{ usedBytes: number; quotaBytes: number | null }> {
	const usage = await findSpaceUsage(db, ownerId);
	const quotaBytes = usage?.quotaBytes ?? (await getFilesSettings(db)).quotaBytes;
	return { usedBytes: usage?.usedBytes ?? 0, quotaBytes };
}
