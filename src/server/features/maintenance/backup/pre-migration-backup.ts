import { copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { isoAt } from '../../../platform/clock.ts';
import type { SchemaState } from '../../../platform/database/migrations/migrate.ts';
import type { Deps } from '../../../platform/deps.ts';
import { getInstallationId } from '../../../platform/installation.ts';
import { openStorage } from '../../../platform/storage/open-storage.ts';
import { ignoreMissingFile, type Storage } from '../../../platform/storage/storage.ts';
import { backupsPrefix } from '../../../platform/storage/storage-ownership.ts';
import { writeRowsFile } from './rows-file.ts';

const maxCopies = 10;
const namePattern = /^\d{4}-.*-before-.*\.jsonl\.gz$/u;
/** Key of the list of backups in a remote store, oldest first; needed because `list()` omits keys below `backups/`. */
const listKey = `${backupsPrefix}list.json`;

/**
 * Saves all rows of a database before a migration, without stored files. If files are in a remote store, the backup is
 * stored there too, because the data folder may be lost. The last ten backups are kept.
 */
export async function backUpRowsBeforeMigration(
	deps: Pick<Deps, 'config' | 'log' | 'clock' | 'secrets' | 'connection'>,
	{ pending }: SchemaState,
): Promise<void> {
	const { config, log, clock, secrets, connection } = deps;
	const installation = await getInstallationId(connection.db, clock);
	const at = isoAt(clock);
	const folder = join(config.DATA_DIR, 'backups');
	await mkdir(folder, { recursive: true, mode: 0o700 });
	const name = `${at.replaceAll(/[:.]/gu, '-')}-before-${pending[0]}.jsonl.gz`;
	const file = join(folder, name);
	const aside = `${file}.part`;
	// Left by killed processes: only one process migrates at a time.
	for (const name of await readdir(folder)) if (name.endsWith('.part')) await rm(join(folder, name), { force: true });
	await writeRowsFile(aside, { connection, secrets }, { installation, at });
	await rename(aside, file);
	if (config.s3 !== null) {
		await copyFile(file, aside);
		const opener = { findInstallationId: async () => installation, hasFiles: async () => false, log };
		const storage = await openStorage(config, opener);
		try {
			await storeCopy(storage, name, aside);
		} finally {
			await storage.close();
		}
	}
	const names = (await readdir(folder)).filter((fileName) => namePattern.test(fileName)).sort();
	for (const old of names.slice(0, -maxCopies)) await rm(join(folder, old), { force: true });
	log.info({ file }, 'rows backed up before migrating');
}

/** Moves the file into the store, and removes old backups from the store. */
async function storeCopy(storage: Storage, name: string, file: string): Promise<void> {
	await storage.adopt(`${backupsPrefix}${name}`, file);
	const list = await storage.read(listKey).catch(ignoreMissingFile);
	const known = list === null ? [] : (JSON.parse(await text(list)) as string[]);
	const names = [...new Set([...known, name])].sort();
	await storage.put(listKey, Buffer.from(JSON.stringify(names.slice(-maxCopies))));
	await storage.remove(names.slice(0, -maxCopies).map((old) => `${backupsPrefix}${old}`));
}
