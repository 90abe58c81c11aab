import { readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { backupFingerprintOf, secretFileOf } from '../../../platform/auth/secrets.ts';
import { isoAt } from '../../../platform/clock.ts';
import { version } from '../../../platform/config.ts';
import { createFolder } from '../../../platform/create-folder.ts';
import type { Db } from '../../../platform/database/schema.ts';
import type { Deps } from '../../../platform/deps.ts';
import { formatStorage } from '../../../platform/format.ts';
import { newId } from '../../../platform/ids.ts';
import { getInstallationId, requireSameSecret } from '../../../platform/installation.ts';
import { acquireProcessLease } from '../../../platform/locking/leases/process-leases.ts';
import { systemCaller } from '../../audit/index.ts';
import { getSetting, type StoredSetting, updateSetting } from '../../settings/index.ts';
import {
	claimFolder,
	filesFolder,
	listStoredFiles,
	lockName,
	type Manifest,
	removeOutdatedFiles,
	writeManifest,
	writeSecretCopy,
} from './backup-folder.ts';
import {
	formatCount,
	PreconditionError,
	type ReportProgress,
	throttleProgress,
	withProcessLock,
} from './operator-command.ts';
import { writeRowsFile } from './rows-file.ts';
import { copyToFolder, type FilesOutcome, forEachFile, type StoredFile } from './stored-files.ts';

/**
 * Backs up an installation into a folder. Its servers may run meanwhile. The backup has a snapshot of all rows, the
 * stored files of these rows, compared with their hashes, and the secret if it is a file. Unchanged files of an earlier
 * backup in the folder are not copied again. The manifest is written last.
 * @throws PreconditionError when the folder cannot be used, or another backup is being made there
 */
export async function backUp(deps: Deps, path: string, report: ReportProgress): Promise<Manifest> {
	const folder = resolve(path);
	const stored = await findRealPath(resolve(deps.config.DATA_DIR, 'storage'));
	if (`${await findRealPath(folder)}${sep}`.startsWith(`${stored}${sep}`))
		throw new PreconditionError(
			'A backup cannot be inside DATA_DIR/storage: maintenance deletes files there that have no row.',
		);
	createFolder(folder);
	return withProcessLock(join(folder, lockName), `Another backup into ${folder}`, () =>
		backUpInto(deps, folder, report),
	);
}

async function backUpInto(deps: Deps, folder: string, report: ReportProgress): Promise<Manifest> {
	const installation = await getInstallationId(deps.db, deps.clock);
	const earlier = await claimFolder(folder, installation);
	// Acquired before the snapshot, because the bytes of its rows must stay: the lease defers deletes of stored bytes.
	const lease = await acquireProcessLease(deps, 'backup');
	try {
		// Checked again after the lease was inserted, because a rotation that began earlier did not see this backup.
		await requireSameSecret(deps.db, deps.secrets);
		const written = await writeRows(deps, folder, installation, report);
		const copied = await copyFiles(deps, folder, written, report, lease.requireValid);
		const secret = await copySecret(deps, folder);
		lease.requireValid();
		const content: Manifest = {
			product: 'Folio',
			format: 1,
			version,
			installation,
			...written,
			finishedAt: isoAt(deps.clock),
			files: { count: copied.outcome.files, sizeBytes: copied.outcome.bytes, faults: copied.outcome.problems },
			secret,
		};
		await writeManifest(folder, content);
		if (earlier !== null) await removeOutdatedFiles(folder, content, copied.keys);
		return content;
	} finally {
		await lease.release();
		// Deletes that fail here are repeated by the hourly maintenance.
		await deps.storage
			.removeDeferred()
			.catch((error: unknown) => deps.log.warn({ err: error }, 'deferred deletes failed; maintenance repeats them'));
	}
}

const lastBackupSetting: StoredSetting<{ finishedAt: string | null }> = {
	key: 'last-backup',
	defaults: { finishedAt: null },
};

/** Stores when the last backup was made, for the owner's first steps. */
export async function recordBackup(deps: Deps, { finishedAt, files }: Pick<Manifest, 'finishedAt' | 'files'>) {
	await updateSetting(deps, systemCaller, lastBackupSetting, {
		change: () => ({ finishedAt }),
		action: 'backup-made',
		auditDetail: () => ({ files: files.count, size: files.sizeBytes }),
	});
	deps.bus.publish({ kind: 'event', audience: { to: 'admins' }, event: { topic: 'first-steps' } });
}

/** Returns when the last backup was finished; null if none was made. */
export async function getLastBackup(db: Db): Promise<string | null> {
	return (await getSetting(db, lastBackupSetting)).value.finishedAt;
}

/** Resolves every symbolic link of a path, even if its last folders do not exist yet. */
async function findRealPath(path: string): Promise<string> {
	try {
		return await realpath(path);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) throw error;
		return join(await findRealPath(dirname(path)), basename(path));
	}
}

export function describeBackup({ rows, files, secret, at, version: of, migrations }: Manifest): string[] {
	const tables = Object.values(rows.tables);
	const sum = tables.reduce((total, table) => total + table.rows, 0);
	return [
		`Folio ${of} (${migrations.at(-1)}) as of ${at}`,
		`${formatCount(sum)} rows of ${tables.length} tables, ${formatCount(files.count)} stored files, ${formatStorage(files.sizeBytes, 'en')}`,
		...files.faults.map(({ key, what }) => `${what === 'missing' ? 'missing' : 'differs from its row'}: ${key}`),
		secret.kept === 'here'
			? 'The secret is in this folder: anyone who has the folder can read everything.'
			: 'The secret is a setting (SECRET) and not in this folder: keep it too. Without it, encrypted texts can never be read.',
	];
}

type WrittenRows = Pick<Manifest, 'at' | 'migrations' | 'rows'>;

async function writeRows(
	deps: Deps,
	folder: string,
	installation: string,
	report: ReportProgress,
): Promise<WrittenRows> {
	const at = isoAt(deps.clock);
	const file = `rows-${at.replaceAll(/[:.]/gu, '-')}-${newId().slice(0, 4)}.jsonl.gz`;
	const reportThrottled = throttleProgress(report);
	const { migrations, tables } = await writeRowsFile(join(folder, file), deps, { installation, at }, (table, rows) =>
		reportThrottled(() => `rows: ${table}, ${formatCount(rows)}`),
	);
	const { size } = await stat(join(folder, file));
	return { at, migrations, rows: { file, sizeBytes: size, tables } };
}

async function copyFiles(
	deps: Deps,
	folder: string,
	{ rows }: WrittenRows,
	report: ReportProgress,
	requireKept: () => void,
): Promise<{ outcome: FilesOutcome; keys: Set<string> }> {
	const keys = new Set<string>();
	async function* files(): AsyncGenerator<StoredFile> {
		for await (const file of listStoredFiles(join(folder, rows.file))) {
			requireKept();
			keys.add(file.key);
			yield file;
		}
	}
	const target = join(folder, filesFolder);
	const outcome = await forEachFile(files(), rows.tables.blobs?.rows ?? 0, report, (file) =>
		copyToFolder(deps.storage, file, target),
	);
	return { outcome, keys };
}

async function copySecret(deps: Deps, folder: string): Promise<Manifest['secret']> {
	const fingerprint = backupFingerprintOf(deps.secrets);
	if (deps.config.SECRET !== undefined) return { kept: 'elsewhere', fingerprint, file: '' };
	return writeSecretCopy(folder, await readFile(secretFileOf(deps.config.DATA_DIR), 'utf8'), fingerprint);
}
