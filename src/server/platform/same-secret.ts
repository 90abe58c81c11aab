import type { Db } from '../db/schema.ts';
import { findSettingForUpdate, writeSetting } from '../db/settings.ts';
import { inTransaction } from '../db/transaction.ts';
import { type Clock, isoAt } from './clock.ts';
import { ConfigError } from './config.ts';
import type { Secrets } from './secrets.ts';

const key = 'secret-fingerprint';

/**
 * Every process of an installation must have the same secret: what one seals, the others open. Its fingerprint stands in
 * the database, written by the first; `isAccepted`: from now on this one holds.
 * @throws ConfigError, in one line, when this process has another
 */
export async function requireSameSecret(
	db: Db,
	secrets: Secrets,
	clock: Clock,
	{ isAccepted = false }: { isAccepted?: boolean } = {},
): Promise<void> {
	const ours = secrets.lookupKey(key, 'folio');
	await inTransaction(db, async (tx) => {
		const row = await findSettingForUpdate(tx, key);
		const known = row === undefined ? null : (JSON.parse(row.value) as { fingerprint: string }).fingerprint;
		if (known === ours) return;
		if (known !== null && !isAccepted) {
			throw new ConfigError(
				'Bad settings: SECRET (or the file secret in DATA_DIR) is not the one that this database was sealed with; give every process the same. If that one is lost for good: npm run cli -- accept-secret',
			);
		}
		await writeSetting(tx, key, JSON.stringify({ fingerprint: ours }), (row?.version ?? 0) + 1, isoAt(clock));
	});
}
