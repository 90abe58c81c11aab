import { existsSync, linkSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import {
	listSealed,
	type SealedChange,
	type SealedColumn,
	type SealedRow,
	sealedContent,
	updateSealed,
} from '../../../platform/auth/sealed-columns.queries.ts';
import {
	createSecrets,
	databaseFingerprintOf,
	findSecretFile,
	generateSecret,
	type Secrets,
	secretFileOf,
} from '../../../platform/auth/secrets.ts';
import { isoAt, systemClock } from '../../../platform/clock.ts';
import type { Config } from '../../../platform/config.ts';
import { readInSteps } from '../../../platform/cursor.ts';
import { acquireLoadingLock } from '../../../platform/database/bulk-copy/bulk-load.ts';
import type { Connection } from '../../../platform/database/connection.ts';
import { findExecutedMigrations } from '../../../platform/database/migrations/migration-state.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { findSettingForUpdate, writeSetting } from '../../../platform/database/settings.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import { findFingerprint, writeFingerprint } from '../../../platform/installation.ts';
import { hasProcessLease } from '../../../platform/locking/leases/leases.queries.ts';
import { requireServersStopped } from '../../../platform/locking/leases/process-leases.ts';
import { createLocalBus } from '../../../platform/realtime/bus.ts';
import { syncFolder } from '../../../platform/storage/disk/disk-storage.ts';
import { recordAudit, systemCaller } from '../../audit/index.ts';
import { formatCount, PreconditionError, withEmbeddedDatabaseLock } from '../backup/operator-command.ts';
import { deleteFormerFingerprints } from './secret-rotation.queries.ts';

const batchSize = 400;

/** The secrets before and after a rotation. */
interface SecretPair {
	from: Secrets;
	to: Secrets;
}

type RotationResult = Awaited<ReturnType<typeof rotateSecret>>;

/**
 * Replaces the secret of an installation: seals everything again, computes the fingerprints of sealed texts again, and
 * deletes fingerprints whose text is not stored. No server may run. After a kill, the next run continues; until the end,
 * no process starts. The new secret is SECRET, or generated into the data folder; the former one is PREVIOUS_SECRET, or
 * the file in the data folder.
 * @throws PreconditionError, ConfigError when a server or backup runs, or the former secret is not that of the database
 */
export async function rotateSecret(config: Config, connection: Connection) {
	return withEmbeddedDatabaseLock(config, async () => {
		const release = await acquireLoadingLock(connection);
		if (release === null) throw new PreconditionError('Another rotation or restore is under way: wait for its end.');
		try {
			return await rotate(config, connection);
		} finally {
			await release();
		}
	});
}

async function rotate(config: Config, connection: Connection) {
	const { db } = connection;
	const { from, to, hasEnded } = await openSecrets(config, db);
	let result = { sealed: 0, unreadable: 0, users: 0, references: 0 };
	if (!hasEnded) {
		await requireNoProcesses(connection);
		await startRotation(connection, { from, to });
		let keptReferences: ReadonlySet<string> = new Set();
		for (;;) {
			// Repeated until nothing is left, because a command that ran meanwhile may have used the former secret.
			const { sealed, unreadable, copies } = await sealAgain(db, { from, to });
			result = { ...result, sealed: result.sealed + sealed, unreadable };
			keptReferences = copies;
			if (sealed === 0) break;
		}
		const deleted = await inTransaction(db, async (tx) => {
			const former = await deleteFormerFingerprints(tx, keptReferences);
			const deps = { clock: systemClock, bus: createLocalBus() };
			await recordAudit(deps, tx, systemCaller, 'secret-rotated', ['settings', 'secret']);
			await writeFingerprint(tx, { fingerprint: databaseFingerprintOf(to) }, systemClock);
			return former;
		});
		result = { ...result, ...deleted };
	}
	return { ...result, formerFile: await replaceSecretFile(config, from), isSetting: config.SECRET !== undefined };
}

/** Finds both secrets, and compares them with the database; `hasEnded`: all rows have the new one already. */
async function openSecrets(config: Config, db: Db): Promise<SecretPair & { hasEnded: boolean }> {
	const former = config.PREVIOUS_SECRET ?? findSecretFile(config.DATA_DIR);
	if (former === null)
		throw new PreconditionError(
			'Set PREVIOUS_SECRET to the secret that the database has now, and SECRET to the new one.',
		);
	const from = createSecrets(former);
	const stored = await findFingerprint(db);
	const isUnfinished = stored?.rotation !== undefined;
	const isCurrent = stored?.fingerprint === databaseFingerprintOf(from);
	if (config.SECRET === undefined && isCurrent) await createNextSecret(config.DATA_DIR);
	const next = config.SECRET ?? readNextSecret(config.DATA_DIR);
	const to = next === null ? null : createSecrets(next);
	if (to !== null && stored?.fingerprint === databaseFingerprintOf(to)) {
		if (isCurrent) throw new PreconditionError('The database has this secret already: set SECRET to a new one.');
		return { from, to, hasEnded: true };
	}
	const isOfRotation =
		to !== null &&
		stored?.rotation?.from === databaseFingerprintOf(from) &&
		stored.rotation.to === databaseFingerprintOf(to);
	if (to === null || !(isCurrent || isOfRotation))
		throw new PreconditionError(
			isUnfinished
				? 'An unfinished rotation has other secrets: set SECRET and PREVIOUS_SECRET, or DATA_DIR, to what they were.'
				: 'PREVIOUS_SECRET (or without it the file "secret" in DATA_DIR) is not the secret of this database.',
		);
	return { from, to, hasEnded: false };
}

function nextSecretFileOf(dataDir: string): string {
	return `${secretFileOf(dataDir)}.next`;
}

function readNextSecret(dataDir: string): string | null {
	const file = nextSecretFileOf(dataDir);
	return existsSync(file) ? readFileSync(file, 'utf8').trim() : null;
}

/** Writes the new secret durably before the first row is sealed with it. The file of an earlier attempt is kept. */
async function createNextSecret(dataDir: string): Promise<void> {
	const file = nextSecretFileOf(dataDir);
	if ((readNextSecret(dataDir) ?? '') !== '') return;
	writeFileSync(`${file}.part`, `${generateSecret()}\n`, { mode: 0o600, flush: true });
	renameSync(`${file}.part`, file);
	await syncFolder(dataDir);
}

/**
 * Makes the new secret the file of the data folder, unless it is a setting.
 * @returns the path at which the file of the former secret is kept, or null
 */
async function replaceSecretFile({ DATA_DIR, SECRET }: Config, from: Secrets): Promise<string | null> {
	const file = secretFileOf(DATA_DIR);
	const former = `${file}.before-rotation-${databaseFingerprintOf(from).slice(0, 8)}`;
	// The former file is never missing, because a run that is killed between these steps needs it.
	if (existsSync(file) && !existsSync(former)) linkSync(file, former);
	if (SECRET === undefined) renameSync(nextSecretFileOf(DATA_DIR), file);
	await syncFolder(DATA_DIR);
	return existsSync(former) ? former : null;
}

async function requireNoProcesses(connection: Connection): Promise<void> {
	await requireServersStopped(
		{ connection },
		await findExecutedMigrations(connection.db),
		'Stop the server first: it would use the former secret. One that was killed counts for a minute.',
	);
	if (await hasProcessLease(connection.db, 'backup'))
		throw new PreconditionError('A backup is under way: wait for its end. One that was killed counts for 5 minutes.');
}

/** Marks the database, so that no process starts on it. Does nothing more for a rotation that continues. */
async function startRotation(connection: Connection, { from, to }: SecretPair): Promise<void> {
	const { db } = connection;
	if ((await findFingerprint(db))?.rotation !== undefined) return;
	const [former, next] = [databaseFingerprintOf(from), databaseFingerprintOf(to)];
	const write = (value: Parameters<typeof writeFingerprint>[1]) =>
		inTransaction(db, (tx) => writeFingerprint(tx, value, systemClock));
	await write({ fingerprint: '', rotation: { from: former, to: next } });
	try {
		// Checked again, because a process that was starting did not see the mark.
		await requireNoProcesses(connection);
	} catch (error) {
		await write({ fingerprint: former });
		throw error;
	}
}

/**
 * Seals all texts that have the former secret with the new one, in batches. `copies`: the fingerprints by the new secret
 * that other tables may have of texts that had this secret before.
 */
async function sealAgain(db: Db, secrets: SecretPair) {
	const { columns, settings } = sealedContent();
	const count = { sealed: 0, unreadable: 0 };
	const copies = new Set<string>();
	/** Returns the text to seal again; null if it has the new secret already, or neither. */
	const unsealFormer = (context: string, text: string, column?: SealedColumn) => {
		const current = tryUnseal(secrets.to, context, text);
		for (const copy of current === null ? [] : copiesOf(column, current, secrets.to)) copies.add(copy);
		if (current !== null) return null;
		const plain = tryUnseal(secrets.from, context, text);
		count[plain === null ? 'unreadable' : 'sealed'] += 1;
		return plain;
	};
	for (const column of columns) {
		const read = (after: string) => listSealed(db, column, after, batchSize);
		for await (const rows of readInSteps('', batchSize, read, ({ id }) => id)) {
			const changes = rows.flatMap((before) => {
				const plain = unsealFormer(column.context, before.sealed, column);
				return plain === null ? [] : [sealRow(column, before, plain, secrets)];
			});
			if (changes.length > 0) await inTransaction(db, (tx) => updateSealed(tx, column, changes));
		}
	}
	for (const [key, fields] of Object.entries(settings))
		await inTransaction(db, async (tx) => {
			const row = await findSettingForUpdate(tx, key);
			if (row === undefined) return;
			const value = JSON.parse(row.value) as Record<string, unknown>;
			let isChanged = false;
			for (const [field, context] of Object.entries(fields)) {
				const text = value[field];
				const plain = typeof text === 'string' ? unsealFormer(context, text) : null;
				if (plain === null) continue;
				value[field] = secrets.to.seal(context, plain);
				isChanged = true;
			}
			if (isChanged) await writeSetting(tx, key, JSON.stringify(value), row.version, isoAt(systemClock));
		});
	return { ...count, copies };
}

function copiesOf(of: SealedColumn | undefined, plain: string, secrets: Secrets): string[] {
	return of?.fingerprint?.copies?.of(secrets, plain) ?? [];
}

function sealRow(of: SealedColumn, before: SealedRow, plain: string, { from, to }: SecretPair): SealedChange {
	// Without a fingerprint before, such as for the reference of a test order, there is none after.
	const fingerprint = before.fingerprint === null ? null : (of.fingerprint?.of(to, plain) ?? null);
	const next = copiesOf(of, plain, to);
	const copies = copiesOf(of, plain, from).map((former, index) => [former, next[index] ?? ''] as const);
	return {
		before,
		after: { id: before.id, sealed: to.seal(of.context, plain), fingerprint },
		copies: fingerprint === null ? [] : copies,
	};
}

function tryUnseal(secrets: Secrets, context: string, text: string): string | null {
	try {
		return secrets.unseal(context, text);
	} catch {
		return null;
	}
}

/** Describes what has changed, what has ended, and what the operator has to do. */
export function describeRotation(result: RotationResult): string[] {
	const { sealed, unreadable, users, references, formerFile, isSetting } = result;
	return [
		`${formatCount(sealed)} encrypted texts have the new secret now.`,
		...(unreadable > 0
			? [
					`${formatCount(unreadable)} texts can be read with neither secret, because an earlier one was lost. They stay.`,
				]
			: []),
		'Sessions, passwords, authenticator apps and links in mails continue to work.',
		...(users > 0
			? [`Recovery codes no longer work: ${formatCount(users)} users have to make new ones at /account.`]
			: []),
		...(references > 0
			? [
					`${formatCount(references)} payment references of deleted orders or bank statements are forgotten: another order with one of them gets no warning.`,
				]
			: []),
		'Rate limits count from zero, and browsers on which users have signed in before count as new for them.',
		...(formerFile === null ? [] : [`The former secret is kept in ${formerFile}.`]),
		isSetting
			? 'Start the server with SECRET, without PREVIOUS_SECRET.'
			: 'The new secret is the file "secret" in DATA_DIR. Every process needs the same file.',
		'Backups from before need the former secret: make a new backup, and keep that secret as long as you keep them.',
	];
}
