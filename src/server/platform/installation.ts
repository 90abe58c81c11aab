import type { Secrets } from './auth/secrets.ts';
import { type Clock, isoAt } from './clock.ts';
import { ConfigError } from './config.ts';
import type { Db } from './database/schema.ts';
import { findSettingForUpdate, writeSetting } from './database/settings.ts';
import { inTransaction } from './database/transaction.ts';
import { newId } from './ids.ts';

const secretFingerprintKey = 'secret-fingerprint';

/**
 * Requires that all processes of an installation have the same secret, because each decrypts what others encrypted. The
 * first process stores a fingerprint of its secret in the database. `isAccepted` replaces a different fingerprint.
 * @throws ConfigError when this process has another secret
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
		const storedFingerprint = row === undefined ? null : (JSON.parse(row.value) as { fingerprint: string }).fingerprint;
		if (storedFingerprint === ownFingerprint) return;
		if (storedFingerprint !== null && !isAccepted) {
			throw new ConfigError(
				'Invalid settings: SECRET (or the file "secret" in DATA_DIR) is not the secret with which this database was encrypted. Every process needs the same secret. If that secret is lost, run: npm run cli -- accept-secret',
			);
		}
		const value = JSON.stringify({ fingerprint: ownFingerprint });
		await writeSetting(tx, secretFingerprintKey, value, (row?.version ?? 0) + 1, isoAt(clock));
	});
}

const installationKey = 'installation';

/** Returns the id of this installation, which is created once. A copy of the database has the same id. */
export function getInstallationId(db: Db, clock: Clock): Promise<string> {
	return inTransaction(db, async (tx) => {
		const row = await findSettingForUpdate(tx, installationKey);
		if (row !== undefined) return (JSON.parse(row.value) as { id: string }).id;
		const id = newId();
		await writeSetting(tx, installationKey, JSON.stringify({ id }), 1, isoAt(clock));
		return id;
	});
}
