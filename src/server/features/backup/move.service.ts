import { rm } from 'node:fs/promises';
import type { Connection } from '../../db/connect.ts';
import { beginLoading, endLoading, type Loading, nameLoading, takeDatabaseLock } from '../../db/loading.ts';
import type { Db } from '../../db/schema.ts';
import { openSnapshot, type Snapshot } from '../../db/snapshot.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Config } from '../../platform/config.ts';
import type { Deps } from '../../platform/deps.ts';
import { describeHolders, releaseMoveHolds, takeHold } from '../../platform/holds/holds.ts';
import { newId } from '../../platform/ids.ts';
import { getInstallationId } from '../../platform/installation.ts';
import { createSecrets, fingerprintOf, keepSecret, loadSecret } from '../../platform/secrets.ts';
import { openStorage } from '../../platform/storage/open-storage.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { forgetUploadsUnderWay, listBlobsAfter } from './backup.queries.ts';
import { compareRows, loadRows, prepareDatabase, type RowsSource, requireEmpty } from './loading.ts';
import { withEmbeddedDatabase } from './locks.ts';
import { inWords, nowAndThen, RefusedError, type Say, sizeInWords } from './progress.ts';
import { scratchOf } from './restore.service.ts';
import {
	compareStored,
	copyAcross,
	type FileFault,
	type FilesOutcome,
	forEachFile,
	type StoredFile,
} from './stored-files.ts';

const pageSize = 500;

/** What a move has brought, and what is not alike on both sides. */
export interface Moved {
	tables: number;
	rows: number;
	files: FilesOutcome;
	/** Where the files are on both sides in one place. */
	areFilesShared: boolean;
	/** Faults that the installation had before. */
	faults: FileFault[];
	differences: string[];
	forgottenUploads: number;
	nuls: number;
}

/** Where a move goes to: the settings of it, and its database as it is now. */
export interface MoveTarget {
	config: Config;
	connection: Connection;
}

/**
 * Copies a whole installation, whose servers are stopped, to another database and storage, and then compares both: every
 * table by a hash of its rows, every stored file read back. Done again after a kill it goes on. What differs is told,
 * and as long as anything does, no server starts on the target. The installation itself stays as it was; only where the
 * files are shared with the new one is it closed.
 * @throws RefusedError when a server runs, or the target holds something else
 */
export async function move(deps: Deps, target: MoveTarget, say: Say): Promise<Moved> {
	requireElsewhere(deps.config, target.config);
	return withEmbeddedDatabase(deps.config, async () => {
		const release = await takeDatabaseLock(deps.connection, 'move');
		if (release === null) throw new RefusedError('Another move is under way: wait for its end.');
		try {
			return await moveBetween(deps, target, say);
		} finally {
			await release();
		}
	});
}

async function moveBetween(deps: Deps, target: MoveTarget, say: Say): Promise<Moved> {
	await releaseMoveHolds(deps);
	const hold = await takeHold(deps, 'move');
	try {
		await requireAlone(deps);
		const installation = await getInstallationId(deps.db, deps.clock);
		const loading = { kind: 'move', source: installation } as const;
		await requireEmpty(target.connection.db, loading);
		bringSecret(deps, target.config);
		const storage = await openStorage(target.config, {
			findInstallationId: async () => installation,
			hasFiles: async () => false,
			log: deps.log,
		});
		try {
			return await moveTo(deps, target.connection, { loading, storage, config: target.config }, say, hold.requireKept);
		} finally {
			await storage.close();
			await rm(scratchOf(target.config), { recursive: true, force: true });
		}
	} finally {
		await hold.release();
	}
}

/** What was moved, for a person to read. */
export function describeMoved({
	tables,
	rows,
	files,
	areFilesShared,
	faults,
	differences,
	forgottenUploads,
	nuls,
}: Moved): string[] {
	return [
		`${inWords(rows)} rows of ${tables} tables were copied and compared.`,
		areFilesShared
			? `${inWords(files.files)} stored files stay where they are; each was read and compared.`
			: `${inWords(files.files)} stored files (${sizeInWords(files.bytes)}) are there; each was read back and compared.`,
		...(forgottenUploads > 0 ? [`${forgottenUploads} uploads that were under way have to be begun again.`] : []),
		...(nuls > 0 ? [`${nuls} texts held a NUL sign, which PostgreSQL cannot keep: it became U+FFFD.`] : []),
		...faults.map(({ key, what }) => `was ${what === 'missing' ? 'missing' : 'not what its row says'} before: ${key}`),
		...differences.map((difference) => `DIFFERENT  ${difference}`),
		differences.length === 0
			? 'Both are alike.'
			: `${inWords(differences.length)} differences: no server starts on the target. Run the same command again.`,
	];
}

interface Place {
	loading: Loading;
	config: Config;
	storage: Storage;
}

async function moveTo(deps: Deps, to: Connection, place: Place, say: Say, requireKept: () => void): Promise<Moved> {
	const snapshot = await openSnapshot(deps.connection);
	try {
		const isGoingOn = await prepareDatabase(to.db, place.loading, snapshot.migrations);
		say(isGoingOn ? 'Going on with a move that was interrupted.' : 'Copying rows.');
		const { sums, nuls } = await loadRows(to.db, sourceOf(snapshot, requireKept), say);
		const isShared = await isOnePlace(place.storage, deps.storage);
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
				// Their pieces lie where they were begun.
				const forgotten = isShared ? 0 : await forgetUploadsUnderWay(tx);
				await endLoading(tx);
				return forgotten;
			});
			// Started again, this one would remove every file that the new one adds.
			if (isShared) await beginLoading(deps.db, 'moved');
		} else {
			// The next try brings them anew.
			if (wrongRows.length > 0) await nameLoading(to.db, '');
			if (!isShared) await place.storage.removeMany(wrongFiles.map(({ key }) => key));
		}
		const rows = Object.values(sums).reduce((sum, table) => sum + table.rows, 0);
		const tables = snapshot.tables.length;
		return { tables, rows, files, areFilesShared: isShared, faults, differences, forgottenUploads, nuls };
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
	place: Place,
	count: number,
	say: Say,
	requireKept: () => void,
): Promise<FilesOutcome> {
	const scratch = scratchOf(place.config);
	const told = nowAndThen(say);
	return forEachFile(
		listFiles(deps.db, requireKept),
		(file) => copyAcross(deps.storage, file, place.storage, scratch),
		(now) => told(() => `files: ${inWords(now.files)} of ${inWords(count)}, ${sizeInWords(now.bytes)}`),
	);
}

async function compareFiles(
	db: Db,
	storage: Storage,
	count: number,
	say: Say,
	requireKept: () => void,
): Promise<FilesOutcome> {
	const told = nowAndThen(say);
	return forEachFile(
		listFiles(db, requireKept),
		async (file) => (await compareStored(storage, file)) ?? 'kept',
		(now) => told(() => `files read back: ${inWords(now.files)} of ${inWords(count)}, ${sizeInWords(now.bytes)}`),
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

/** Two servers, or a server beside the move, would each change what the other has copied. */
async function requireAlone(deps: Deps): Promise<void> {
	const servers = deps.connection.kind === 'sqlite' ? [] : await describeHolders(deps, 'server');
	if (servers.length > 0)
		throw new RefusedError(
			`Stop the server first: while it runs, what is copied changes (${servers.join('; ')}). After a kill wait a minute.`,
		);
	if ((await describeHolders(deps, 'backup')).length > 0)
		throw new RefusedError('A backup is under way: wait for its end, or five minutes if it was killed.');
}

function requireElsewhere(from: Config, to: Config): void {
	const isSame =
		from.DATABASE_URL === undefined
			? to.DATABASE_URL === undefined && from.DATA_DIR === to.DATA_DIR
			: from.DATABASE_URL === to.DATABASE_URL;
	if (isSame) throw new RefusedError('The database is there already: name another one.');
}

/** Whether what is put into the one is found in the other: a folder or bucket may be named in several ways. */
async function isOnePlace(one: Storage, other: Storage): Promise<boolean> {
	const key = `files/${newId()}`;
	await one.put(key, Buffer.from('Is this one place?'));
	try {
		return (await other.findSize(key)) !== null;
	} finally {
		await one.remove(key);
	}
}

/** The target's data folder gets the secret that lies in this one's. @throws RefusedError when it has another */
function bringSecret(deps: Deps, to: Config): void {
	if (deps.config.SECRET !== undefined || to.DATA_DIR === deps.config.DATA_DIR) return;
	const there = loadSecret(to.DATA_DIR);
	if (there === null) {
		const own = loadSecret(deps.config.DATA_DIR);
		if (own !== null) keepSecret(to.DATA_DIR, own);
	} else if (fingerprintOf(createSecrets(there)) !== fingerprintOf(deps.secrets)) {
		throw new RefusedError(
			`${to.DATA_DIR} has a secret of its own: what is sealed here could not be read there. Name an empty folder.`,
		);
	}
}
