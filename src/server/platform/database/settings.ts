import type { Db } from './schema.ts';
import { acquireNamedLock } from './transaction.ts';

export function findSetting(db: Db, key: string) {
	return db.selectFrom('settings').select(['value', 'version']).where('key', '=', key).executeTakeFirst();
}

/** Locks it until the transaction ends, also while nothing was saved: the first to save come one after the other too. */
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

/** Changes with every setting that is saved. */
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
