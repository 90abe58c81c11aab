import type { Caller } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { isoAt } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/schema.ts';
import { findSetting, findSettingForUpdate, writeSetting } from '../../platform/database/settings.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import type { Deps } from '../../platform/deps.ts';
import { recordAudit } from '../audit/index.ts';

/** A setting as it is kept: JSON under a key. */
export interface StoredSetting<T extends object> {
	key: string;
	/** Values before anything is saved, and for fields that the saved value lacks. */
	defaults: T;
}

/** The current value; version 0 before anything is saved. */
export async function getSetting<T extends object>(
	db: Db,
	setting: StoredSetting<T>,
): Promise<{ value: T; version: number }> {
	return parseSetting(setting, await findSetting(db, setting.key));
}

export interface SettingUpdate<T> {
	/** Version of the settings that were displayed; absent if the change applies to any version. */
	version?: number | undefined;
	/** Returns the new value, in the change's own transaction. */
	change: (tx: Db, value: T) => T | Promise<T>;
	/** For the audit list: what was done, and what of it is told. */
	action: string;
	auditDetail: (saved: T) => Record<string, unknown>;
}

/** Changes a setting, one caller after the other, with its line in the audit list. @throws AppError STALE */
export function updateSetting<T extends object>(
	deps: Deps,
	caller: Caller,
	setting: StoredSetting<T>,
	{ version, change, action, auditDetail: tell }: SettingUpdate<T>,
): Promise<{ version: number }> {
	const { key } = setting;
	return inTransaction(deps.db, async (tx) => {
		const current = parseSetting(setting, await findSettingForUpdate(tx, key));
		if (version !== undefined && version !== current.version) throw new AppError('STALE');
		const saved = await change(tx, current.value);
		const next = current.version + 1;
		await writeSetting(tx, key, JSON.stringify(saved), next, isoAt(deps.clock));
		await recordAudit(deps, tx, caller, action, ['settings', key], tell(saved));
		return { version: next };
	});
}

function parseSetting<T extends object>(
	{ defaults }: StoredSetting<T>,
	row: { value: string; version: number } | undefined,
) {
	if (row === undefined) return { value: defaults, version: 0 };
	return { value: { ...defaults, ...(JSON.parse(row.value) as Partial<T>) }, version: row.version };
}
