import type { Secrets } from './auth/secrets.ts';
import { type Clock, isoAt } from './clock.ts';
import { ConfigError } from './config.ts';
import type { Db } from './database/schema.ts';
import { findSettingForUpdate, writeSetting } from './database/settings.ts';
import { inTransaction } from './database/transaction.ts';
import { newId } from './ids.ts';

const secretFingerprintKey = 'secret-fingerprint';

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
	const ownFingerprint = secrets.lookupKey(secretFingerprintKey, 'folio');
	await inTransaction(db, async (tx) => {
		const row = await findSettingForUpdate(tx, secretFingerprintKey);
		const known = row === undefined ? null : (JSON.parse(row.value) as { fingerprint: string }).fingerprint;
		if (known === ownFingerprint) return;
		if (known !== null && !isAccepted) {
			throw new ConfigError(
				'Bad settings: SECRET (or the file secret in DATA_DIR) is not the one that this database was sealed with; give every process the same. If that one is lost for good: npm run cli -- accept-secret',
			);
		}
		await writeSetting(
			tx,
			secretFingerprintKey,
			JSON.stringify({ fingerprint: ownFingerprint }),
			(row?.version ?? 0) + 1,
			isoAt(clock),
		);
	});
}

const installationKey = 'installation';

/** What this installation is known by in a store that others use too: made once, and in every copy of its database. */
export function getInstallationId(db: Db, clock: Clock): Promise<string> {
	return inTransaction(db, async (tx) => {
		const row = await findSettingForUpdate(tx, installationKey);
		if (row !== undefined) return (JSON.parse(row.value) as { id: string }).id;
		const id = newId();
		await writeSetting(tx, installationKey, JSON.stringify({ id }), 1, isoAt(clock));
		return id;
	});
}
