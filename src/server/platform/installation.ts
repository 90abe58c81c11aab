import type { Db } from '../db/schema.ts';
import { findSettingForUpdate, writeSetting } from '../db/settings.ts';
import { inTransaction } from '../db/transaction.ts';
import { type Clock, isoAt } from './clock.ts';
import { newId } from './ids.ts';

const key = 'installation';

/** What this installation is known by in a store that others use too: made once, and in every copy of its database. */
export function getInstallationId(db: Db, clock: Clock): Promise<string> {
	return inTransaction(db, async (tx) => {
		const row = await findSettingForUpdate(tx, key);
		if (row !== undefined) return (JSON.parse(row.value) as { id: string }).id;
		const id = newId();
		await writeSetting(tx, key, JSON.stringify({ id }), 1, isoAt(clock));
		return id;
	});
}
