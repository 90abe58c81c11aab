import { chmod, copyFile, mkdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { openSnapshot } from '../../db/snapshot.ts';
import { isoAt } from '../../platform/clock.ts';
import type { Deps } from '../../platform/deps.ts';
import { takeHold } from '../../platform/holds/holds.ts';
import { newId } from '../../platform/ids.ts';
import { getInstallationId } from '../../platform/installation.ts';
import { fingerprintOf, secretFileOf } from '../../platform/secrets.ts';
import { version } from '../../platform/version.ts';
import {
	claimFolder,
	filesFolder,
	filesIn,
	lockName,
	type Manifest,
	secretName,
	sweepFolder,
	writeManifest,
} from './backup.folder.ts';
import { withLock } from './locks.ts';
import { inWords, nowAndThen, RefusedError, type Say, sizeInWords } from './progress.ts';
import { writeRowsFile } from './rows-file.ts';
import { copyToFolder, type FilesOutcome, forEachFile, type StoredFile } from './stored-files.ts';

/**
 * Backs an installation up into a folder while its servers run: all rows as they stand at one moment, the bytes that they
 * point at, each compared with its hash, and the secret where it is a file. A folder that holds an earlier backup of the
 * same installation keeps what is equal. The manifest is written last.
 * @throws RefusedError when the folder cannot be used, or another backup is made there
 */
export async function backUp(deps: Deps, path: string, say: Say): Promise<Manifest> {
	const folder = resolve(path);
	const stored = await findRealPath(resolve(deps.config.DATA_DIR, 'storage'));
	if (`${await findRealPath(folder)}${sep}`.startsWith(`${stored}${sep}`))
		throw new RefusedError('A backup cannot lie among the stored files: whatever has no row there is removed.');
	await mkdir(folder, { recursive: true, mode: 0o700 });
	return withLock(join(folder, lockName), `Another backup into ${folder}`, () => backUpInto(deps, folder, say));
}

async function backUpInto(deps: Deps, folder: string, say: Say): Promise<Manifest> {
	const installation = await getInstallationId(deps.db, deps.clock);
	const earlier = await claimFolder(folder, installation);
	// Before the snapshot: from here on no stored bytes vanish.
	const hold = await takeHold(deps, 'backup');
	try {
		const taken = await writeRows(deps, folder, installation, say);
		const copied = await copyFiles(deps, folder, taken, say, hold.requireKept);
		const secret = await keepSecret(deps, folder);
		hold.requireKept();
		const content: Manifest = {
			product: 'Folio',
			format: 1,
			version,
			installation,
			...taken,
			finishedAt: isoAt(deps.clock),
			files: { count: copied.outcome.files, sizeBytes: copied.outcome.bytes, faults: copied.outcome.faults },
			secret,
		};
		await writeManifest(folder, content);
		if (earlier !== null) await sweepFolder(folder, content, copied.keys);
		return content;
	} finally {
		await hold.release();
		// What fails here is done by the hourly upkeep.
		await deps.storage.removePutOff().catch((error: unknown) => deps.log.warn({ err: error }, 'put off again'));
	}
}

/** Where a path leads when every symbolic link is followed, also where its last folders are still to be made. */
async function findRealPath(path: string): Promise<string> {
	try {
		return await realpath(path);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) throw error;
		return join(await findRealPath(dirname(path)), basename(path));
	}
}

/** What was backed up, for a person to read. */
export function describeBackup({ rows, files, secret, at, version: of, migrations }: Manifest): string[] {
	const tables = Object.values(rows.tables);
	const sum = tables.reduce((total, table) => total + table.rows, 0);
	return [
		`Folio ${of} (${migrations.at(-1)}) as of ${at}`,
		`${inWords(sum)} rows of ${tables.length} tables, ${inWords(files.count)} stored files, ${sizeInWords(files.sizeBytes)}`,
		...files.faults.map(({ key, what }) => `${what === 'missing' ? 'missing' : 'not what its row says'}: ${key}`),
		secret.kept === 'here'
			? 'The secret lies with it: whoever has this folder can read everything.'
			: 'The secret is a setting (SECRET) and not in this folder: keep it too, for without it sealed texts can never be read.',
	];
}

type Taken = Pick<Manifest, 'at' | 'migrations' | 'rows'>;

async function writeRows(deps: Deps, folder: string, installation: string, say: Say): Promise<Taken> {
	const snapshot = await openSnapshot(deps.connection);
	try {
		const at = isoAt(deps.clock);
		const file = `rows-${at.replaceAll(/[:.]/gu, '-')}-${newId().slice(0, 4)}.jsonl.gz`;
		const told = nowAndThen(say);
		const secret = fingerprintOf(deps.secrets);
		const tables = await writeRowsFile(
			join(folder, file),
			{ version, installation, at, secret },
			snapshot,
			(table, rows) => told(() => `rows: ${table}, ${inWords(rows)}`),
		);
		const { size } = await stat(join(folder, file));
		return { at, migrations: snapshot.migrations, rows: { file, sizeBytes: size, tables } };
	} finally {
		await snapshot.close();
	}
}

async function copyFiles(
	deps: Deps,
	folder: string,
	{ rows }: Taken,
	say: Say,
	requireKept: () => void,
): Promise<{ outcome: FilesOutcome; keys: Set<string> }> {
	const keys = new Set<string>();
	async function* files(): AsyncGenerator<StoredFile> {
		for await (const file of filesIn(join(folder, rows.file))) {
			requireKept();
			keys.add(file.key);
			yield file;
		}
	}
	const count = rows.tables.blobs?.rows ?? 0;
	const told = nowAndThen(say);
	const target = join(folder, filesFolder);
	const outcome = await forEachFile(
		files(),
		(file) => copyToFolder(deps.storage, file, target),
		(now) => told(() => `files: ${inWords(now.files)} of ${inWords(count)}, ${sizeInWords(now.bytes)}`),
	);
	return { outcome, keys };
}

async function keepSecret(deps: Deps, folder: string): Promise<Manifest['secret']> {
	const fingerprint = fingerprintOf(deps.secrets);
	if (deps.config.SECRET !== undefined) return { kept: 'elsewhere', fingerprint };
	const target = join(folder, secretName);
	await copyFile(secretFileOf(deps.config.DATA_DIR), target);
	await chmod(target, 0o600);
	return { kept: 'here', fingerprint };
}
