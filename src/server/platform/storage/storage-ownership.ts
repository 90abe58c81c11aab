import { hostname } from 'node:os';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { ConfigError } from '../config.ts';
import type { Deps } from '../deps.ts';
import { getInstallation } from '../installation.ts';
import { hasProcessLease } from '../locking/leases/leases.queries.ts';
import { ignoreMissingFile, type Storage } from './storage.ts';

/**
 * Key of the marker file, which contains the id of the installation that owns the folder or bucket. Listings leave out
 * all keys that begin with it.
 */
export const markerKey = '.folio';

/** Prefix of the keys of backups in a remote store, which its listings leave out too. */
export const backupsPrefix = 'backups/';

const markerReads = 5;

/** Key of the record of the servers that use the storage. */
const serverKey = `${markerKey}-server`;
const serverRecordMs = 60_000;

/** The part of a storage that is needed to check its owner before it is used. */
export interface ClaimableStorage extends Pick<Storage, 'read' | 'put'> {
	isEmpty(): Promise<boolean>;
}

type StorageOwner = 'ours' | 'another installation' | 'something else';

/**
 * Checks which installation owns a storage. An empty storage, or one for which `isKnown` returns true, is marked as
 * ours. Without the check, maintenance would delete the files of another installation, because they have no rows.
 * With `isReadOnly` the storage is not marked.
 */
export async function claimStorage(
	storage: ClaimableStorage,
	installationId: string,
	isKnown: () => Promise<boolean> = async () => false,
	isReadOnly = false,
): Promise<StorageOwner> {
	const found = await findStorageOwner(storage);
	if (found === null && isReadOnly) return (await storage.isEmpty()) || (await isKnown()) ? 'ours' : 'something else';
	const marker = found ?? (await writeMarker(storage, installationId, isKnown));
	if (marker === null) return 'something else';
	return marker === installationId ? 'ours' : 'another installation';
}

/** Returns the id of the installation that has marked a storage, or null. */
export async function findStorageOwner(storage: Pick<Storage, 'read'>): Promise<string | null> {
	const marker = await storage.read(markerKey).catch(ignoreMissingFile);
	return marker && (await text(marker)).trim();
}

/** @returns the marker that is stored afterwards, or null if the storage has other content */
async function writeMarker(storage: ClaimableStorage, installationId: string, isKnown: () => Promise<boolean>) {
	if (!(await storage.isEmpty()) && !(await isKnown())) return findStorageOwner(storage);
	await storage.put(markerKey, Buffer.from(`${installationId}\n`));
	// Read back, because another process may have written a marker at the same moment. Read several times, because Swift
	// can return 404 for an object that is being overwritten.
	for (let attempt = 1; ; attempt++) {
		const marker = await findStorageOwner(storage);
		if (marker !== null || attempt === markerReads) return marker;
		await setTimeout(100);
	}
}

/** What a running server writes to its storage, again and again. The servers of one database share it. */
interface ServerRecord {
	database: string;
	/** When it was written; null after the last server of the database has stopped. */
	at: string | null;
	process: string;
}

/**
 * Requires that no server of another database uses the storage, such as the server of an installation whose rows were
 * restored elsewhere: both would have the same installation id. A killed server counts as running for a minute.
 * @param database id of the own database; null refuses every running server
 * @throws ConfigError
 */
export async function requireUnusedStorage(storage: Pick<Storage, 'read'>, database: string | null): Promise<void> {
	const bytes = await storage.read(serverKey).catch(ignoreMissingFile);
	if (bytes === null) return;
	const record = JSON.parse(await text(bytes)) as ServerRecord;
	if (record.at === null || record.database === database) return;
	if (Math.abs(Date.now() - Date.parse(record.at)) >= serverRecordMs) return;
	throw new ConfigError(
		`A server with another database uses these stored files (${record.process}). Stop it first: it would delete the files that it does not know. One that was killed counts for a minute.`,
	);
}

/**
 * Records in the storage that this server uses it, until it is released.
 * @throws ConfigError while a server of another database uses the storage; see {@link requireUnusedStorage}
 */
export async function acquireStorage(deps: Pick<Deps, 'db' | 'clock' | 'log' | 'storage'>) {
	const { database } = await getInstallation(deps.db, deps.clock);
	// A server starts even when its storage cannot be reached, or is full.
	const tolerate = (error: unknown) => {
		if (error instanceof ConfigError) throw error;
		deps.log.warn({ err: error }, 'the use of the storage was not recorded');
	};
	const write = async (at: string | null) => {
		const record: ServerRecord = { database, at, process: `process ${process.pid} on ${hostname()}` };
		await deps.storage.put(serverKey, Buffer.from(JSON.stringify(record)));
	};
	let writing = requireUnusedStorage(deps.storage, database)
		.then(() => write(new Date().toISOString()))
		.catch(tolerate);
	await writing;
	const timer = setInterval(() => {
		writing = writing.then(() => write(new Date().toISOString())).catch(tolerate);
	}, serverRecordMs / 3);
	timer.unref();
	return {
		/** Call after the lease of this server was released: while other servers of the database run, they are recorded. */
		async release(): Promise<void> {
			clearInterval(timer);
			await writing;
			if (!(await hasProcessLease(deps.db, 'server'))) await write(null);
		},
	};
}
