import type { AuditAction } from '#contract/audit/audit-kinds.ts';
import type { Caller } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { isoAt } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/schema.ts';
import { getSetting, getSettingForUpdate, type StoredSetting, writeSetting } from '../../platform/database/settings.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import type { Deps } from '../../platform/deps.ts';
import { recordAudit } from '../audit/index.ts';

/** Returns the current value and its version in one object. The version is 0 before anything is saved. */
export async function getVersionedSetting<T extends object>(db: Db, setting: StoredSetting<T>) {
	const { value, version } = await getSetting(db, setting);
	return { ...value, version };
}

export interface SettingUpdate<T> {
	/** Version of the settings that were displayed; absent if the change applies to any version. */
	version?: number | undefined;
	/** Returns the new value; called in the transaction of the change. */
	change: (tx: Db, value: T) => T | Promise<T>;
	/** For the audit list: the action, and the details of the saved value to record. */
	action: AuditAction;
	auditDetail: (saved: T) => Record<string, unknown>;
}

/** Changes a setting under its lock, and records the change in the audit list. @throws AppError STALE */
export function updateSetting<T extends object>(
	deps: Deps,
	caller: Caller,
	setting: StoredSetting<T>,
	{ version, change, action, auditDetail }: SettingUpdate<T>,
): Promise<{ version: number }> {
	const { key } = setting;
	return inTransaction(deps.db, async (tx) => {
		const current = await getSettingForUpdate(tx, setting);
		if (version !== undefined && version !== current.version) throw new AppError('STALE');
		const saved = await change(tx, current.value);
		const next = current.version + 1;
		await writeSetting(tx, key, JSON.stringify(saved), next, isoAt(deps.clock));
		await recordAudit(deps, tx, caller, action, ['settings', key], auditDetail(saved));
		return { version: next };
	});
}

/** Saves a setting as entered, and records all of it in the audit list. @throws AppError STALE */
export function saveSetting<T extends object>(
	deps: Deps,
	caller: Caller,
	setting: StoredSetting<T>,
	{ version, ...typed }: T & { version?: number },
	action: AuditAction,
) {
	const auditDetail = () => typed as Record<string, unknown>;
	return updateSetting(deps, caller, setting, { version, change: () => typed as unknown as T, action, auditDetail });
}
