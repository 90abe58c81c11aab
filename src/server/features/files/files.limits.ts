import { type FilesSettings, filesDefaults, filesSettings } from '#contract/files/spaces.ts';
import type { Db } from '../../db/schema.ts';
import { AppError } from '../../platform/app-error.ts';
import { formatSize } from '../../platform/format.ts';
import { readSetting, type Setting } from '../settings/saved-settings.service.ts';
import { sumCopying } from './files.copy-work.ts';
import { findSpaceUse, sumAnnounced } from './totals.queries.ts';

export const filesSetting: Setting<FilesSettings> = { key: 'files', defaults: filesDefaults };

/** The settings of files; what was never saved has its default. `version` is 0 then. */
export async function getFilesSettings(db: Db): Promise<FilesSettings & { version: number }> {
	const { value, version } = await readSetting(db, filesSetting);
	return { ...filesSettings.parse(value), version };
}

/**
 * @param isReplacing it takes a file's place, which counts beside it as long as it lies in the trash
 * @throws AppError QUOTA_EXCEEDED, QUOTA_NEEDS_BOTH when a space cannot take these bytes beside what it holds
 */
export async function requireQuota(db: Db, ownerId: string, sizeBytes: number, isReplacing = false): Promise<void> {
	await requireWithin(db, ownerId, { sizeBytes, isReplacing, sumPromised: async () => 0 });
}

/** The same before bytes are promised to anybody: what uploads and copies under way are to bring counts as if it were there. */
export async function requireQuotaForNew(
	db: Db,
	ownerId: string,
	sizeBytes: number,
	isReplacing = false,
): Promise<void> {
	const sumPromised = async () => (await sumAnnounced(db, ownerId)) + (await sumCopying(db, ownerId));
	await requireWithin(db, ownerId, { sizeBytes, isReplacing, sumPromised });
}

/** The same for a step of a copy under way: its bytes were promised, but the quota or the folder may have changed since. */
export async function requireQuotaForStep(db: Db, ownerId: string, sizeBytes: number): Promise<void> {
	await requireWithin(db, ownerId, { sizeBytes, isReplacing: false, sumPromised: () => sumAnnounced(db, ownerId) });
}

interface Wish {
	sizeBytes: number;
	isReplacing: boolean;
	sumPromised: () => Promise<number>;
}

async function requireWithin(db: Db, ownerId: string, wish: Wish): Promise<void> {
	const { sizeBytes, isReplacing, sumPromised } = wish;
	const { usedBytes, quotaBytes } = await getUse(db, ownerId);
	if (quotaBytes === null) return;
	const freeBytes = Math.max(0, quotaBytes - usedBytes - (await sumPromised()));
	if (sizeBytes <= freeBytes) return;
	const code = isReplacing ? 'QUOTA_NEEDS_BOTH' : 'QUOTA_EXCEEDED';
	throw new AppError(code, { params: { free: formatSize(freeBytes), quota: formatSize(quotaBytes) } });
}

/** What a space holds, its trash included, and may hold: its own quota or the default; null for no limit. */
export async function getUse(db: Db, ownerId: string): Promise<{ usedBytes: number; quotaBytes: number | null }> {
	const use = await findSpaceUse(db, ownerId);
	const quotaBytes = use?.quotaBytes ?? (await getFilesSettings(db)).quotaBytes;
	return { usedBytes: use?.usedBytes ?? 0, quotaBytes };
}
