import { defaultFilesSettings, type FilesSettings, filesSettings } from '#contract/files/spaces.ts';
import { AppError } from '../../../platform/app-error.ts';
import { awaitAll } from '../../../platform/database/await-all.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { formatStorage } from '../../../platform/format.ts';
import { getSetting, type StoredSetting } from '../../settings/index.ts';
import { sumPendingCopyBytes } from '../copy-move/copy-job-payload.ts';
import { sumPendingBytes } from '../uploads/uploads.queries.ts';
import { findSpaces } from './spaces.queries.ts';

export const filesSetting: StoredSetting<FilesSettings> = { key: 'files', defaults: defaultFilesSettings };

/** Returns the file settings, with defaults for settings that were never saved; `version` is 0 if none were saved. */
export async function getFilesSettings(db: Db): Promise<FilesSettings & { version: number }> {
	const { value, version } = await getSetting(db, filesSetting);
	return { ...filesSettings.parse(value), version };
}

interface QuotaOptions {
	/** Whether the bytes replace a file. The replaced file uses quota while it is in the trash. */
	isReplacing?: boolean;
	/** Which running work counts as if it were complete: uploads, or uploads and copies (`all`). */
	pending?: 'none' | 'uploads' | 'all';
}

/** @throws AppError QUOTA_EXCEEDED, QUOTA_NEEDS_BOTH when these bytes do not fit into a space's quota */
export async function requireQuota(
	db: Db,
	ownerId: string,
	sizeBytes: number,
	{ isReplacing = false, pending = 'none' }: QuotaOptions = {},
) {
	const quota = await findFreeQuota(db, ownerId, pending);
	if (quota !== null && sizeBytes > quota.freeBytes) throw quotaError(quota, isReplacing);
}

interface FreeQuota {
	freeBytes: number;
	quotaBytes: number;
}

/** Returns how many bytes fit into a space's quota; null without a quota. */
export async function findFreeQuota(
	db: Db,
	ownerId: string,
	pending: NonNullable<QuotaOptions['pending']>,
): Promise<FreeQuota | null> {
	const { usedBytes, quotaBytes } = await getSpaceUsage(db, ownerId);
	if (quotaBytes === null) return null;
	const uploadBytes = pending === 'none' ? 0 : await sumPendingBytes(db, { ownerId });
	const copyBytes = pending === 'all' ? await sumPendingCopyBytes(db, ownerId) : 0;
	return { freeBytes: Math.max(0, quotaBytes - usedBytes - uploadBytes - copyBytes), quotaBytes };
}

export function quotaError({ freeBytes, quotaBytes }: FreeQuota, isReplacing: boolean): AppError {
	return new AppError(isReplacing ? 'QUOTA_NEEDS_BOTH' : 'QUOTA_EXCEEDED', {
		params: {
			free: (locale) => formatStorage(freeBytes, locale),
			quota: (locale) => formatStorage(quotaBytes, locale),
		},
	});
}

/** Returns a space's used bytes, including its trash, and its quota or else the default quota; null for no limit. */
export async function getSpaceUsage(db: Db, ownerId: string) {
	const [[usage], settings] = await awaitAll([findSpaces(db, [ownerId]), getFilesSettings(db)]);
	return { usedBytes: usage?.usedBytes ?? 0, quotaBytes: usage?.quotaBytes ?? settings.quotaBytes };
}
