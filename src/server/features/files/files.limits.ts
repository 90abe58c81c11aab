import { type FilesSettings, filesDefaults, filesSettings } from '#contract/files/spaces.ts';
import type { Db } from '../../db/schema.ts';
import { findSetting } from '../../db/settings.ts';
import { AppError } from '../../platform/app-error.ts';
import { formatSize } from '../../platform/format.ts';
import { findSpaceUse, sumAnnounced } from './totals.queries.ts';

export const filesSettingsKey = 'files';

/** The settings of files; what was never saved has its default. `version` is 0 then. */
export async function getFilesSettings(db: Db): Promise<FilesSettings & { version: number }> {
	const row = await findSetting(db, filesSettingsKey);
	const stored = row === undefined ? {} : (JSON.parse(row.value) as Partial<FilesSettings>);
	return { ...filesSettings.parse({ ...filesDefaults, ...stored }), version: row?.version ?? 0 };
}

/** @throws AppError QUOTA_EXCEEDED when a space cannot take these bytes beside what it holds */
export async function requireQuota(db: Db, ownerId: string, sizeBytes: number): Promise<void> {
	await requireWithin(db, ownerId, sizeBytes, 0);
}

/** The same before an upload begins: what other uploads have announced counts as if it were there. */
export async function requireQuotaForUpload(db: Db, ownerId: string, sizeBytes: number): Promise<void> {
	await requireWithin(db, ownerId, sizeBytes, await sumAnnounced(db, ownerId));
}

async function requireWithin(db: Db, ownerId: string, sizeBytes: number, announcedBytes: number): Promise<void> {
	const use = await findSpaceUse(db, ownerId);
	const quotaBytes = use?.quotaBytes ?? (await getFilesSettings(db)).quotaBytes;
	if (quotaBytes === null) return;
	const freeBytes = Math.max(0, quotaBytes - (use?.usedBytes ?? 0) - announcedBytes);
	if (sizeBytes <= freeBytes) return;
	throw new AppError('QUOTA_EXCEEDED', { params: { free: formatSize(freeBytes), quota: formatSize(quotaBytes) } });
}
