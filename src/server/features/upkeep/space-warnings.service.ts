import { findSettingForUpdate, writeSetting } from '../../db/settings.ts';
import { inTransaction } from '../../db/transaction.ts';
import { isoAt } from '../../platform/clock.ts';
import type { Deps } from '../../platform/deps.ts';
import type { RunningJob } from '../../platform/jobs/jobs.ts';
import { logPutOff } from '../../platform/reason.ts';
import type { DiskSpace } from '../../platform/storage/disk-space.ts';
import { freeBytesFor, isPurchaseSpaceLow, purchaseReserveBytes } from '../../platform/storage/free-space.ts';
import { enqueueMail } from '../mail/mail.service.ts';
import { findOwnerMailTo } from '../settings/mail-settings.service.ts';
import { readSetting, type Setting } from '../settings/saved-settings.service.ts';

export const spaceWarningsJob = 'space-warnings';
const checkedEverySeconds = 300;

/** What the owner has been warned of; reset once there is clearly more space. */
interface SpaceWarnings {
	isDiskLow: boolean;
	isPurchaseSpaceLow: boolean;
}

/** Kept with the settings, so that it survives restarts and all processes share it. */
const setting: Setting<SpaceWarnings> = {
	key: 'space-warnings',
	defaults: { isDiskLow: false, isPurchaseSpaceLow: false },
};

/** The scheduled task, every five minutes. */
export async function checkSpace(deps: Deps, _payload: unknown, job: RunningJob): Promise<void> {
	await warnOfLowSpace(deps);
	job.again(checkedEverySeconds);
}

/** Checks now, for a purchase, which goes on when the check fails. */
export async function noticeLowSpace(deps: Deps): Promise<void> {
	await warnOfLowSpace(deps).catch((error: unknown) => logPutOff(deps.log, error, {}, 'warning of low space not sent'));
}

/**
 * Mails the owner once when a fifth of the disk is left, and once when the space for purchases is below a tenth of its
 * reserve; again only after a quarter of the disk, or that whole reserve, was free in between.
 */
export async function warnOfLowSpace(deps: Deps): Promise<void> {
	const space = await findScarcestSpace(deps);
	if (space === null) return;
	const before = await readSetting(deps.db, setting);
	if (isSame(before.value, warningsFor(space, before.value))) return;
	await inTransaction(deps.db, async (tx) => {
		await findSettingForUpdate(tx, setting.key);
		const { value: told, version } = await readSetting(tx, setting);
		const now = warningsFor(space, told);
		const owner = await findOwnerMailTo(tx);
		if (owner === null || isSame(told, now)) return;
		const mail = { ...owner, ...space };
		if (now.isDiskLow && !told.isDiskLow) await enqueueMail(deps, tx, { ...mail, kind: 'disk-low' });
		if (now.isPurchaseSpaceLow && !told.isPurchaseSpaceLow)
			await enqueueMail(deps, tx, { ...mail, kind: 'purchase-space-low' });
		await writeSetting(tx, setting.key, JSON.stringify(now), version + 1, isoAt(deps.clock));
	});
	deps.wakeWorkers();
}

/** The fuller of the disks of the files and of the embedded database; null with a store and PostgreSQL. */
async function findScarcestSpace(deps: Deps): Promise<DiskSpace | null> {
	const spaces = [await deps.storage.getDiskSpace()];
	if (deps.connection.kind === 'sqlite') spaces.push(await deps.getDataDiskSpace());
	const partOf = ({ freeBytes, totalBytes }: DiskSpace) => freeBytes / totalBytes;
	const [scarcest] = spaces
		.filter(({ totalBytes }) => Number.isFinite(totalBytes) && totalBytes > 0)
		.sort((one, other) => partOf(one) - partOf(other));
	return scarcest ?? null;
}

function warningsFor(space: DiskSpace, told: SpaceWarnings): SpaceWarnings {
	return {
		isDiskLow: space.freeBytes < space.totalBytes / (told.isDiskLow ? 4 : 5),
		isPurchaseSpaceLow: told.isPurchaseSpaceLow
			? freeBytesFor('purchase', space) < purchaseReserveBytes(space)
			: isPurchaseSpaceLow(space),
	};
}

function isSame(one: SpaceWarnings, other: SpaceWarnings): boolean {
	return one.isDiskLow === other.isDiskLow && one.isPurchaseSpaceLow === other.isPurchaseSpaceLow;
}
