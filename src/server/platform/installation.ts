import type { Secrets } from './auth/secrets.ts';
import { type Clock, isoAt } from './clock.ts';
import { ConfigError } from './config.ts';
import type { Db } from './database/schema.ts';
import { findSettingForUpdate, writeSetting } from './database/settings.ts';
import { inTransaction } from './database/transaction.ts';
import { newId } from './ids.ts';

const secretFingerprintKey = 'secret-fingerprint';

/**
 * Requires that every process of an installation has the same secret, because each decrypts what the others encrypted.
 * The first process stores the fingerprint of its secret in the database; `isAccepted` replaces it by that of this one.
 * @throws ConfigError, in one line, when this process has another secret
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

/** Returns the id of this installation in a shared store: created once, and the same in every copy of its database. */
export function getInstallationId(db: Db, clock: Clock): Promise<string> {
	return inTransaction(db, async (tx) => {
		const row = await findSettingForUpdate(tx, installationKey);
		if (row !== undefined) return (JSON.parse(row.value) as { id: string }).id;
		const id = newId();
		await writeSetting(tx, installationKey, JSON.stringify({ id }), 1, isoAt(clock));
		return id;
	});
}
