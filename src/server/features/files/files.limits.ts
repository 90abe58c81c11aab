import { type FilesSettings, filesDefaults, filesSettings } from '#contract/files/spaces.ts';
import type { Db } from '../../db/schema.ts';
import { findSetting } from '../../db/settings.ts';
import { AppError } from '../../platform/app-error.ts';
import { formatSize } from '../../platform/format.ts';
import { sumCopying } from './files.copy-work.ts';
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
	await requireWithin(db, ownerId, sizeBytes, async () => 0);
}

/** The same before bytes are promised to anybody: what uploads and copies under way are to bring counts as if it were there. */
export async function requireQuotaForNew(db: Db, ownerId: string, sizeBytes: number): Promise<void> {
	await requireWithin(
		db,
		ownerId,
		sizeBytes,
		async () => (await sumAnnounced(db, ownerId)) + (await sumCopying(db, ownerId)),
	);
}

/** The same for a step of a copy under way: its bytes were promised, but the quota or the folder may have changed since. */
export async function requireQuotaForStep(db: Db, ownerId: string, sizeBytes: number): Promise<void> {
	await requireWithin(db, ownerId, sizeBytes, () => sumAnnounced(db, ownerId));
}

async function requireWithin(
	db: Db,
	ownerId: string,
	sizeBytes: number,
	sumPromised: () => Promise<number>,
): Promise<void> {
	const use = await findSpaceUse(db, ownerId);
	const quotaBytes = use?.quotaBytes ?? (await getFilesSettings(db)).quotaBytes;
	if (quotaBytes === null) return;
	const freeBytes = Math.max(0, quotaBytes - (use?.usedBytes ?? 0) - (await sumPromised()));
	if (sizeBytes <= freeBytes) return;
	throw new AppError('QUOTA_EXCEEDED', { params: { free: formatSize(freeBytes), quota: formatSize(quotaBytes) } });
}
