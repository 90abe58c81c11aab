import { rm } from 'node:fs/promises';
import { createSecrets, loadSecret, secretFingerprintOf, writeSecret } from '../../../platform/auth/secrets.ts';
import type { Config } from '../../../platform/config.ts';
import {
	acquireDatabaseLock,
	type BulkLoad,
	finishBulkLoad,
	setBulkLoadSource,
	startBulkLoad,
} from '../../../platform/database/bulk-copy/bulk-load.ts';
import { openSnapshot, type Snapshot } from '../../../platform/database/bulk-copy/snapshot.ts';
import type { Connection } from '../../../platform/database/connection.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { newId } from '../../../platform/ids.ts';
import { getInstallationId } from '../../../platform/installation.ts';
import {
	acquireProcessLease,
	describeLeaseOwners,
	releaseMoveLeases,
} from '../../../platform/locking/process-leases/process-leases.ts';
import { openStorage } from '../../../platform/storage/open-storage.ts';
import type { Storage } from '../../../platform/storage/storage.ts';
import { deleteUnfinishedUploads, listBlobsAfter } from '../backup/backup.queries.ts';
import { withEmbeddedDatabaseLock } from '../backup/exclusive-lock.ts';
import {
	formatBytes,
	formatCount,
	PreconditionError,
	type ReportProgress,
	throttleProgress,
} from '../backup/progress.ts';
import { compareRows, loadRows, prepareDatabase, type RowsSource, requireEmptyTarget } from '../backup/row-loading.ts';
import {
	compareStored,
	copyAcross,
	type FileProblem,
	type FilesOutcome,
	forEachFile,
	type StoredFile,
} from '../backup/stored-files.ts';
import { temporaryFolderOf } from '../restore/restore.service.ts';

const pageSize = 500;

/** Result of a move, with the differences between both sides. */
export interface MoveResult {
	tables: number;
	rows: number;
	files: FilesOutcome;
	/** Whether both installations use the same storage. */
	areFilesShared: boolean;
	/** Problems that the source installation already had. */
	faults: FileProblem[];
	differences: string[];
	discardedUploads: number;
	replacedNuls: number;
}

/** Target of a move: its configuration, and a connection to its database. */
interface MoveTarget {
	config: Config;
	connection: Connection;
}

/**
 * Copies a whole installation, whose servers are stopped, to another database and storage, and compares both: every
 * table by a hash of its rows, every stored file by reading it back. After a kill, another run continues. While there
 * are differences, which are reported, no server starts on the target. The source stays unchanged; only if the storage
 * is shared, no server starts on the source any more.
 * @throws PreconditionError when a server runs, or the target holds something else
 */
export async function move(deps: Deps, target: MoveTarget, say: ReportProgress): Promise<MoveResult> {
	requireDifferentTarget(deps.config, target.config);
	return withEmbeddedDatabaseLock(deps.config, async () => {
		const release = await acquireDatabaseLock(deps.connection, 'move');
		if (release === null) throw new PreconditionError('Another move is under way: wait for its end.');
		try {
			return await moveBetween(deps, target, say);
		} finally {
			await release();
		}
	});
}

async function moveBetween(deps: Deps, target: MoveTarget, say: ReportProgress): Promise<MoveResult> {
	await releaseMoveLeases(deps);
	const hold = await acquireProcessLease(deps, 'move');
	try {
		await requireNoOtherProcess(deps);
		const installation = await getInstallationId(deps.db, deps.clock);
		const loading = { kind: 'move', source: installation } as const;
		await requireEmptyTarget(target.connection.db, loading);
		copySecret(deps, target.config);
		const storage = await openStorage(target.config, {
			findInstallationId: async () => installation,
			hasFiles: async () => false,
			log: deps.log,
		});
		try {
			return await moveTo(deps, target.connection, { loading, storage, config: target.config }, say, hold.requireValid);
		} finally {
			await storage.close();
			await rm(temporaryFolderOf(target.config), { recursive: true, force: true });
		}
	} finally {
		await hold.release();
	}
}

/** Returns the lines that describe the result of a move. */
export function describeMoved({
	tables,
	rows,
	files,
	areFilesShared,
	faults,
	differences,
	discardedUploads: forgottenUploads,
	replacedNuls: nuls,
}: MoveResult): string[] {
	return [
		`${formatCount(rows)} rows of ${tables} tables were copied and compared.`,
		areFilesShared
			? `${formatCount(files.files)} stored files stay where they are; each was read and compared.`
			: `${formatCount(files.files)} stored files (${formatBytes(files.bytes)}) are there; each was read back and compared.`,
		...(forgottenUploads > 0 ? [`${forgottenUploads} uploads that were under way have to be begun again.`] : []),
		...(nuls > 0 ? [`${nuls} texts held a NUL sign, which PostgreSQL cannot keep: it became U+FFFD.`] : []),
		...faults.map(({ key, what }) => `was ${what === 'missing' ? 'missing' : 'not what its row says'} before: ${key}`),
		...differences.map((difference) => `DIFFERENT  ${difference}`),
		differences.length === 0
			? 'Both are alike.'
			: `${formatCount(differences.length)} differences: no server starts on the target. Run the same command again.`,
	];
}

interface MoveDestination {
	loading: BulkLoad;
	config: Config;
	storage: Storage;
}

async function moveTo(
	deps: Deps,
	to: Connection,
	place: MoveDestination,
	say: ReportProgress,
	requireKept: () => void,
): Promise<MoveResult> {
	const snapshot = await openSnapshot(deps.connection);
	try {
		const isGoingOn = await prepareDatabase(to.db, place.loading, snapshot.migrations);
		say(isGoingOn ? 'Going on with a move that was interrupted.' : 'Copying rows.');
		const { sums, nuls } = await loadRows(to.db, sourceOf(snapshot, requireKept), say);
		const isShared = await isSameStorage(place.storage, deps.storage);
		if (!isShared) say('Copying stored files.');
		const count = sums.blobs?.rows ?? 0;
		const faults = isShared ? [] : (await copyFiles(deps, place, count, say, requireKept)).faults;
		say('Comparing both.');
		const wrongRows = await compareRows(to, sums, say);
		const files = await compareFiles(to.db, place.storage, count, say, requireKept);
		const before = new Set(faults.map(({ key }) => key));
		const wrongFiles = files.faults.filter(({ key }) => !before.has(key));
		const differences = [...wrongRows, ...wrongFiles.map(({ key, what }) => `${key}: ${what}`)];
		requireKept();
		let forgottenUploads = 0;
		if (differences.length === 0) {
			forgottenUploads = await inTransaction(to.db, async (tx) => {
				// The parts of unfinished uploads are in the source's storage.
				const forgotten = isShared ? 0 : await deleteUnfinishedUploads(tx);
				await finishBulkLoad(tx);
				return forgotten;
			});
			// The source is closed: if started again, its maintenance would remove every file that the new installation adds.
			if (isShared) await startBulkLoad(deps.db, 'moved');
		} else {
			// The next attempt loads all rows again.
			if (wrongRows.length > 0) await setBulkLoadSource(to.db, '');
			if (!isShared) await place.storage.removeMany(wrongFiles.map(({ key }) => key));
		}
		const rows = Object.values(sums).reduce((sum, table) => sum + table.rows, 0);
		const tables = snapshot.tables.length;
		return {
			tables,
			rows,
			files,
			areFilesShared: isShared,
			faults,
			differences,
			discardedUploads: forgottenUploads,
			replacedNuls: nuls,
		};
	} finally {
		await snapshot.close();
	}
}

function sourceOf(snapshot: Snapshot, requireKept: () => void): RowsSource {
	async function* keptRows(rows: AsyncIterable<unknown[][]>) {
		for await (const some of rows) {
			requireKept();
			yield some;
		}
	}
	return {
		migrations: snapshot.migrations,
		async *tables(isWanted = () => true) {
			for (const table of snapshot.tables)
				if (isWanted(table.name))
					yield { name: table.name, columns: table.columns, rows: keptRows(snapshot.rows(table)) };
		},
	};
}

async function copyFiles(
	deps: Deps,
	place: MoveDestination,
	count: number,
	say: ReportProgress,
	requireKept: () => void,
): Promise<FilesOutcome> {
	const scratch = temporaryFolderOf(place.config);
	const told = throttleProgress(say);
	return forEachFile(
		listFiles(deps.db, requireKept),
		(file) => copyAcross(deps.storage, file, place.storage, scratch),
		(now) => told(() => `files: ${formatCount(now.files)} of ${formatCount(count)}, ${formatBytes(now.bytes)}`),
	);
}

async function compareFiles(
	db: Db,
	storage: Storage,
	count: number,
	say: ReportProgress,
	requireKept: () => void,
): Promise<FilesOutcome> {
	const told = throttleProgress(say);
	return forEachFile(
		listFiles(db, requireKept),
		async (file) => (await compareStored(storage, file)) ?? 'kept',
		(now) =>
			told(() => `files read back: ${formatCount(now.files)} of ${formatCount(count)}, ${formatBytes(now.bytes)}`),
	);
}

async function* listFiles(db: Db, requireKept: () => void): AsyncGenerator<StoredFile> {
	for (let after = ''; ; ) {
		requireKept();
		const page = await listBlobsAfter(db, after, pageSize);
		const last = page.at(-1);
		if (last === undefined) return;
		yield* page;
		after = last.id;
	}
}

/**
 * Requires that no server or backup is running: a server would change what has been copied.
 * @throws PreconditionError
 */
async function requireNoOtherProcess(deps: Deps): Promise<void> {
	const servers = deps.connection.kind === 'sqlite' ? [] : await describeLeaseOwners(deps, 'server');
	if (servers.length > 0)
		throw new PreconditionError(
			`Stop the server first: while it runs, what is copied changes (${servers.join('; ')}). After a kill wait a minute.`,
		);
	if ((await describeLeaseOwners(deps, 'backup')).length > 0)
		throw new PreconditionError('A backup is under way: wait for its end, or five minutes if it was killed.');
}

function requireDifferentTarget(from: Config, to: Config): void {
	const isSame =
		from.DATABASE_URL === undefined
			? to.DATABASE_URL === undefined && from.DATA_DIR === to.DATA_DIR
			: from.DATABASE_URL === to.DATABASE_URL;
	if (isSame) throw new PreconditionError('The database is there already: name another one.');
}

/**
 * Returns whether both are the same storage, by storing a test object: a folder or bucket may be addressed in several
 * ways.
 */
async function isSameStorage(one: Storage, other: Storage): Promise<boolean> {
	const key = `files/${newId()}`;
	await one.put(key, Buffer.from('Is this one place?'));
	try {
		return (await other.findSize(key)) !== null;
	} finally {
		await one.remove(key);
	}
}

/** Copies the secret to the target's data folder. @throws PreconditionError when the target has a different one */
function copySecret(deps: Deps, to: Config): void {
	if (deps.config.SECRET !== undefined || to.DATA_DIR === deps.config.DATA_DIR) return;
	const there = loadSecret(to.DATA_DIR);
	if (there === null) {
		const own = loadSecret(deps.config.DATA_DIR);
		if (own !== null) writeSecret(to.DATA_DIR, own);
	} else if (secretFingerprintOf(createSecrets(there)) !== secretFingerprintOf(deps.secrets)) {
		throw new PreconditionError(
			`${to.DATA_DIR} has a secret of its own: what is sealed here could not be read there. Name an empty folder.`,
		);
	}
}
