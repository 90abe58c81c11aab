import {
	createSecrets,
	databaseFingerprintOf,
	findSecretFile,
	loadOrCreateSecret,
	type Secrets,
} from './auth/secrets.ts';
import { type Clock, isoAt } from './clock.ts';
import { type Config, ConfigError } from './config.ts';
import type { Db } from './database/schema.ts';
import { findSetting, findSettingForUpdate, writeSetting } from './database/settings.ts';
import { inTransaction } from './database/transaction.ts';
import { newId } from './ids.ts';

const secretFingerprintKey = 'secret-fingerprint';

interface StoredFingerprint {
	/** '' while a rotation of the secret is unfinished, so that no process of any version starts. */
	fingerprint: string;
	/** Fingerprints of the secrets of an unfinished rotation. */
	rotation?: { from: string; to: string };
}

/** Returns the fingerprint of the secret with which the database was encrypted; null before the first start. */
export async function findFingerprint(db: Db): Promise<StoredFingerprint | null> {
	const row = await findSetting(db, secretFingerprintKey);
	return row === undefined ? null : (JSON.parse(row.value) as StoredFingerprint);
}

export async function writeFingerprint(tx: Db, value: StoredFingerprint, clock: Clock): Promise<void> {
	const row = await findSettingForUpdate(tx, secretFingerprintKey);
	await writeSetting(tx, secretFingerprintKey, JSON.stringify(value), (row?.version ?? 0) + 1, isoAt(clock));
}

/**
 * Requires that all processes of an installation have the same secret, because each decrypts what others encrypted.
 * Changes nothing.
 * @throws ConfigError when this process has another secret, or a rotation of the secret is unfinished
 */
export async function requireSameSecret(db: Db, secrets: Secrets): Promise<void> {
	const stored = await findFingerprint(db);
	if (stored === null || stored.fingerprint === databaseFingerprintOf(secrets)) return;
	throw new ConfigError(
		stored.rotation === undefined
			? 'Invalid settings: SECRET (or the file "secret" in DATA_DIR) is not the secret with which this database was encrypted. Every process needs the same secret. If that secret is lost, run: npm run cli -- accept-secret'
			: 'The rotation of the secret was not finished. Run it again with the same settings: npm run cli -- rotate-secret',
	);
}

/** Like {@link requireSameSecret}. The first process stores its fingerprint; `isAccepted` replaces a different one. */
export async function storeSecretFingerprint(
	db: Db,
	secrets: Secrets,
	clock: Clock,
	isAccepted = false,
): Promise<void> {
	await inTransaction(db, async (tx) => {
		await findSettingForUpdate(tx, secretFingerprintKey);
		const stored = await findFingerprint(tx);
		if (!isAccepted) await requireSameSecret(tx, secrets);
		const fingerprint = databaseFingerprintOf(secrets);
		if (stored?.fingerprint !== fingerprint) await writeFingerprint(tx, { fingerprint }, clock);
	});
}

/**
 * Lets processes start with the configured secret although the database was encrypted with another one. Creates a secret
 * file if no secret is configured.
 * @returns whether the secret is another one
 * @throws ConfigError when SECRET is another one, but the secret file has the secret of the database
 */
export async function acceptSecret({ SECRET, DATA_DIR }: Config, db: Db, clock: Clock): Promise<boolean> {
	const stored = await findFingerprint(db);
	const isOfDatabase = (secret: string) => databaseFingerprintOf(createSecrets(secret)) === stored?.fingerprint;
	const inFile = findSecretFile(DATA_DIR);
	if (SECRET !== undefined && !isOfDatabase(SECRET) && inFile !== null && isOfDatabase(inFile))
		throw new ConfigError(
			`The file "secret" in ${DATA_DIR} has the secret of this database: remove SECRET from the settings, or set it to the content of that file.`,
		);
	const secret = SECRET ?? loadOrCreateSecret(DATA_DIR);
	await storeSecretFingerprint(db, createSecrets(secret), clock, true);
	return !isOfDatabase(secret);
}

const installationKey = 'installation';

interface Installation {
	/** Id of the owner of the stored files; see storage/storage-ownership.ts. */
	id: string;
	/** Id of the database. A restore of rows alone gives its database another one, but the id of the stored files. */
	database: string;
}

/** Returns the ids of this installation, which are created once. A copy of the database has the same ids. */
export function getInstallation(db: Db, clock: Clock): Promise<Installation> {
	return inTransaction(db, async (tx) => {
		const row = await findSettingForUpdate(tx, installationKey);
		const stored = row === undefined ? {} : (JSON.parse(row.value) as Partial<Installation>);
		const { id = newId(), database = newId() } = stored;
		if (stored.database === undefined) await writeInstallation(tx, { id, database }, clock);
		return { id, database };
	});
}

export async function getInstallationId(db: Db, clock: Clock): Promise<string> {
	return (await getInstallation(db, clock)).id;
}

/** Returns the id of this installation; '' before the first start. Changes nothing. */
export async function findInstallationId(db: Db): Promise<string> {
	const row = await findSetting(db, installationKey);
	return row === undefined ? '' : (JSON.parse(row.value) as Installation).id;
}

/** Replaces the ids that restored rows have. */
export async function replaceInstallationId(tx: Db, id: string, clock: Clock): Promise<void> {
	await writeInstallation(tx, { id, database: newId() }, clock);
}

async function writeInstallation(tx: Db, installation: Installation, clock: Clock): Promise<void> {
	await writeSetting(tx, installationKey, JSON.stringify(installation), 1, isoAt(clock));
}
