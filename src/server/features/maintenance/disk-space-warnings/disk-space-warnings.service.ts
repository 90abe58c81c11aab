import { isDeepStrictEqual } from 'node:util';
import { isoAt } from '../../../platform/clock.ts';
import {
	getSetting,
	getSettingForUpdate,
	type StoredSetting,
	writeSetting,
} from '../../../platform/database/settings.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import type { RunningJob } from '../../../platform/jobs/jobs.ts';
import { logRetriedFailure } from '../../../platform/log.ts';
import {
	checkoutReserveBytes,
	freeBytesFor,
	isCheckoutSpaceLow,
	listDiskSpaces,
} from '../../../platform/storage/free-space.ts';
import type { DiskSpace } from '../../../platform/storage/storage.ts';
import { enqueueMail, findOwnerMailRecipient } from '../../mail/index.ts';

export const spaceWarningsJob = 'space-warnings';
const checkedEverySeconds = 300;

/** The warnings that were mailed to the owner. Each is reset when there is clearly more space. */
interface SpaceWarnings {
	isDiskLow: boolean;
	/** The reserve for checkout. This key and the mail's kind `purchase-space-low` are stored, so they keep the old name. */
	isPurchaseSpaceLow: boolean;
}

/** Stored with the settings, so that the state survives restarts and all processes share it. */
const setting: StoredSetting<SpaceWarnings> = {
	key: 'space-warnings',
	defaults: { isDiskLow: false, isPurchaseSpaceLow: false },
};

export async function runDiskSpaceCheck(deps: Deps, _payload: unknown, job: RunningJob): Promise<void> {
	await warnOfLowSpace(deps);
	job.reschedule(checkedEverySeconds);
}

/** Like {@link warnOfLowSpace}, but logs an error instead of throwing, so that a purchase continues. */
export async function tryWarnOfLowSpace(deps: Deps): Promise<void> {
	await warnOfLowSpace(deps).catch((error: unknown) =>
		logRetriedFailure(deps.log, error, {}, 'warning of low space not sent'),
	);
}

/**
 * Mails the owner once when less than a fifth of a disk is free, and once when less than a tenth of the reserve for
 * checkout is left. The mails are repeated only after a quarter of every disk, or the whole reserve, was free. With a
 * remote store and PostgreSQL nothing is mailed.
 */
export async function warnOfLowSpace(deps: Deps): Promise<void> {
	const spaces = (await listDiskSpaces(deps)).filter(({ totalBytes }) => Number.isFinite(totalBytes) && totalBytes > 0);
	if (spaces.length === 0) return;
	const before = await getSetting(deps.db, setting);
	if (isDeepStrictEqual(before.value, warningsFor(findLowDisks(spaces, before.value)))) return;
	await inTransaction(deps.db, async (tx) => {
		const { value: warned, version } = await getSettingForUpdate(tx, setting);
		const disks = findLowDisks(spaces, warned);
		const now = warningsFor(disks);
		const owner = await findOwnerMailRecipient(tx);
		if (owner === null || isDeepStrictEqual(warned, now)) return;
		if (disks.low !== undefined && !warned.isDiskLow)
			await enqueueMail(deps, tx, { ...owner, ...disks.low, kind: 'disk-low' });
		if (disks.checkoutLow !== undefined && !warned.isPurchaseSpaceLow)
			await enqueueMail(deps, tx, { ...owner, ...disks.checkoutLow, kind: 'purchase-space-low' });
		await writeSetting(tx, setting.key, JSON.stringify(now), version + 1, isoAt(deps.clock));
	});
	deps.wakeWorkers();
}

/** Finds for each warning the fullest of the low disks: by the free fraction, or by the bytes left for checkout. */
function findLowDisks(spaces: DiskSpace[], warned: SpaceWarnings) {
	const freeShare = ({ freeBytes, totalBytes }: DiskSpace) => freeBytes / totalBytes;
	const checkoutBytes = (space: DiskSpace) => freeBytesFor('checkout', space);
	const isLow = (space: DiskSpace) => freeShare(space) < (warned.isDiskLow ? 1 / 4 : 1 / 5);
	const isCheckoutLow = (space: DiskSpace) =>
		warned.isPurchaseSpaceLow ? checkoutBytes(space) < checkoutReserveBytes(space) : isCheckoutSpaceLow(space);
	return {
		low: spaces.filter(isLow).sort((one, other) => freeShare(one) - freeShare(other))[0],
		checkoutLow: spaces.filter(isCheckoutLow).sort((one, other) => checkoutBytes(one) - checkoutBytes(other))[0],
	};
}

function warningsFor({ low, checkoutLow }: ReturnType<typeof findLowDisks>): SpaceWarnings {
	return { isDiskLow: low !== undefined, isPurchaseSpaceLow: checkoutLow !== undefined };
}
