import type { Db } from './schema.ts';
import { acquireNamedLock } from './transaction.ts';

export function findSetting(db: Db, key: string) {
	return db.selectFrom('settings').select(['value', 'version']).where('key', '=', key).executeTakeFirst();
}

/** Reads a setting and locks it until the transaction ends, also before the setting was saved for the first time. */
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

/** Returns a value that changes whenever a setting is saved. */
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
