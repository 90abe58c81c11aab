import { prepareQuery } from './query-preparation.ts';
import type { Db } from './schema.ts';
import { acquireNamedLock } from './transaction.ts';

export interface StoredSetting<T extends object> {
	key: string;
	/** Values before the first save, and for fields that the stored value lacks. */
	defaults: T;
}

/** Returns the current value; its version is 0 before the first save. */
export async function getSetting<T extends object>(db: Db, setting: StoredSetting<T>) {
	return toSetting(setting, await findSetting(db, setting.key));
}

export async function getSettingForUpdate<T extends object>(tx: Db, setting: StoredSetting<T>) {
	return toSetting(setting, await findSettingForUpdate(tx, setting.key));
}

function toSetting<T extends object>(setting: StoredSetting<T>, row: Awaited<ReturnType<typeof findSetting>>) {
	return { value: parseSetting(setting, row?.value ?? null), version: row?.version ?? 0 };
}

/** Returns the value of a column `settings.value`; null before the first save. */
export function parseSetting<T extends object>({ defaults }: StoredSetting<T>, value: string | null): T {
	return value === null ? defaults : { ...defaults, ...(JSON.parse(value) as Partial<T>) };
}

const settingQuery = prepareQuery((db, { key }: { key: string }) =>
	db.selectFrom('settings').select(['value', 'version']).where('key', '=', key),
);

export async function findSetting(db: Db, key: string) {
	return (await settingQuery(db, { key })).rows[0];
}

/** Reads a setting and locks it until the transaction ends, even if it has no row yet. */
export async function findSettingForUpdate(tx: Db, key: string) {
	await acquireNamedLock(tx, `setting-${key}`);
	return findSetting(tx, key);
}

export async function writeSetting(tx: Db, key: string, value: string, version: number, now: string): Promise<void> {
	await tx
		.insertInto('settings')
		.values({ key, value, version, updated_at: now })
		.onConflict((conflict) => conflict.column('key').doUpdateSet({ value, version, updated_at: now }))
		.execute();
}

/** Returns text that changes whenever any setting is saved. */
export async function readSettingsState(db: Db): Promise<string> {
	const row = await db
		.selectFrom('settings')
		.select((eb) => [
			eb.fn.countAll<number>().as('count'),
			eb.fn.sum<number>('version').as('versions'),
			eb.fn.max('updated_at').as('newest'),
		])
		.executeTakeFirstOrThrow();
	return JSON.stringify(row);
}

export const securitySetting: StoredSetting<{ isTwoFactorRequiredOfAdmins: boolean }> = {
	key: 'security',
	defaults: { isTwoFactorRequiredOfAdmins: false },
};
