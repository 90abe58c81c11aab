import type { Db } from '../../database/schema.ts';
import { lockRows } from '../../database/transaction.ts';

const key = 'security';

/** Settings of the owner about sign-ins. */
interface SecuritySetting {
	isTwoFactorRequiredOfAdmins: boolean;
}

function parse(row: { value: string; version: number } | undefined): SecuritySetting & { version: number } {
	const stored = row === undefined ? {} : (JSON.parse(row.value) as Partial<SecuritySetting>);
	return { isTwoFactorRequiredOfAdmins: stored.isTwoFactorRequiredOfAdmins === true, version: row?.version ?? 0 };
}

export async function findSecuritySetting(db: Db) {
	return parse(await db.selectFrom('settings').select(['value', 'version']).where('key', '=', key).executeTakeFirst());
}

export async function findSecuritySettingForUpdate(tx: Db) {
	const query = tx.selectFrom('settings').select(['value', 'version']).where('key', '=', key);
	return parse(await lockRows(tx, query).executeTakeFirst());
}

export async function writeSecuritySetting(
	tx: Db,
	setting: SecuritySetting,
	version: number,
	now: string,
): Promise<void> {
	const value = JSON.stringify(setting);
	await tx
		.insertInto('settings')
		.values({ key, value, version, updated_at: now })
		.onConflict((conflict) => conflict.column('key').doUpdateSet({ value, version, updated_at: now }))
		.execute();
}
