import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backUp } from '#server/features/maintenance/backup/backup.service.ts';
import {
	describeRestored,
	type RestoreResult,
	restore,
	warnOfSharedStorage,
} from '#server/features/maintenance/restore/restore.service.ts';
import { checkIntegrity } from '#server/features/maintenance/tasks/tasks.service.ts';
import { ConfigError } from '#server/platform/config.ts';
import { migrate } from '#server/platform/database/migrations/migrate.ts';
import { getInstallationId } from '#server/platform/installation.ts';
import { acquireServerLease } from '#server/platform/locking/leases/process-leases.ts';
import { acquireServerLock } from '#server/platform/locking/process-lock.ts';
import { openStorage } from '#server/platform/storage/open-storage.ts';
import { createHttpClient } from '../../support/app/http-client.ts';
import { createSecondProcess, createTestApp, type TestApp } from '../../support/app/test-app.ts';
import {
	createEmptyInstallation,
	type EmptyInstallation,
	failAfterStatements,
	hashStoredBytes,
	readComparableRows,
	seedEveryTable,
	withoutUnfinishedUploads,
} from '../../support/fixtures/installations.ts';
import { testDatabase } from '../../support/services/test-database.ts';

const quiet = () => {};
const other = testDatabase === 'postgres' ? 'sqlite' : testDatabase;

let world: TestApp;
let folder: string;
/** A backup of the installation. */
let backup: string;
const installations: EmptyInstallation[] = [];

beforeAll(async () => {
	world = await createTestApp();
	await seedEveryTable(world.deps);
	folder = await mkdtemp(join(tmpdir(), 'folio-elsewhere-'));
	backup = join(folder, 'backup');
	await backUp(world.deps, backup, quiet);
});
afterAll(async () => {
	for (const place of installations) await place.close();
	await world.close();
	await rm(folder, { recursive: true, force: true });
});

async function createInstallation(kind: 'sqlite' | 'postgres', settings = {}): Promise<EmptyInstallation> {
	const place = await createEmptyInstallation(world.deps.config, kind, settings);
	installations.push(place);
	return place;
}

function restoreInto(
	{ config, connection }: Pick<EmptyInstallation, 'config' | 'connection'>,
	{ path = backup, say = quiet } = {},
): Promise<RestoreResult> {
	return restore(config, connection, path, { log: world.deps.log, say });
}

test('a backup restored into another database and storage, and from there back, keeps rows and bytes', async () => {
	const rows = withoutUnfinishedUploads(await readComparableRows(world.deps.connection));
	const bytes = await hashStoredBytes(world.deps);
	const there = await createInstallation(other, { storage: 'disk' });
	const moved = await restoreInto(there);
	expect(moved).toMatchObject({ faults: [], discardedUploads: 2, replacedNuls: 0 });
	expect(moved.files.files).toBe(Object.keys(bytes).length);
	expect(describeRestored(moved)[0]).toContain('each compared with its hash');
	expect(warnOfSharedStorage(moved)).toEqual([]);
	expect(withoutUnfinishedUploads(await readComparableRows(there.connection))).toEqual(rows);

	const backupOfThere = join(folder, 'backup of there');
	const twin = await createSecondProcess(world, there.config);
	const back = await createInstallation(testDatabase);
	try {
		expect(await hashStoredBytes(twin.deps)).toEqual(bytes);
		expect((await checkIntegrity(twin.deps)).problems).toEqual([]);
		await backUp(twin.deps, backupOfThere, quiet);
	} finally {
		await twin.close();
	}
	expect(await restoreInto(back, { path: backupOfThere })).toMatchObject({ faults: [], discardedUploads: 0 });
	expect(withoutUnfinishedUploads(await readComparableRows(back.connection))).toEqual(rows);
	const again = await createSecondProcess(world, back.config);
	try {
		expect(await hashStoredBytes(again.deps)).toEqual(bytes);
		expect((await checkIntegrity(again.deps)).problems).toEqual([]);
		const client = createHttpClient(again.app);
		await client.signIn('rohan@folio.example', 'build-your-empire');
		expect((await client.call('GET', '/api/orders?search=meera')).json().items).toHaveLength(1);
	} finally {
		await again.close();
	}
});

test('a restore into another database leaves files that are in its storage already, also under another name', async () => {
	const place = await createInstallation(other);
	const { s3, DATA_DIR } = world.deps.config;
	if (s3 === null) await symlink(join(DATA_DIR, 'storage'), join(place.folder, 'storage'));
	const config = { ...place.config, s3: s3 && { ...s3, endpoint: `${s3.endpoint}/` } };
	const bytes = await hashStoredBytes(world.deps);
	const restored = await restoreInto({ ...place, config });
	expect(warnOfSharedStorage(restored)).toEqual([expect.stringContaining('never start that server again')]);
	expect(restored.files).toMatchObject({
		kept: Object.keys(bytes).length,
		files: Object.keys(bytes).length,
		faults: [],
	});
	expect(await hashStoredBytes(world.deps)).toEqual(bytes);
});

test('a restore is refused when the storage has files of another installation, which stay unchanged', async () => {
	const place = await createInstallation(other, { storage: 'disk' });
	const storage = join(place.folder, 'storage');
	await mkdir(storage);
	await writeFile(join(storage, 'theirs.pdf'), 'theirs');
	await expect(restoreInto(place)).rejects.toThrow('holds files that this database knows nothing of');
	await writeFile(join(storage, '.folio'), 'of theirs\n');
	await expect(restoreInto(place)).rejects.toThrow('belong to another Folio');
	expect(await readdir(storage)).toEqual(['.folio', 'theirs.pdf']);
});

test('a restore reports rows that differ, blocks the start of a server, and loads everything when it is repeated', async () => {
	const place = await createInstallation(other);
	const whole = await createInstallation(other);
	const counting = failAfterStatements(whole.connection, Number.POSITIVE_INFINITY);
	await restoreInto({ ...whole, connection: counting });
	const nearlyAll = failAfterStatements(place.connection, counting.counted() - 2);
	await expect(restoreInto({ ...place, connection: nearlyAll })).rejects.toThrow('killed');
	const [first] = await world.deps.db
		.selectFrom('blobs')
		.select(['storage_key', 'size_bytes'])
		.where('size_bytes', '>', 3)
		.orderBy('id')
		.execute();
	const key = first?.storage_key ?? '';
	const storage = await openStorage(place.config, {
		findInstallationId: () => getInstallationId(world.deps.db, world.clock),
		hasFiles: async () => false,
		log: world.deps.log,
	});
	await storage.put(key, Buffer.alloc(first?.size_bytes ?? 0, 'x'));
	await place.connection.db
		.updateTable('users')
		.set({ name: 'Somebody Else' })
		.where('email', '=', 'asha.verma@example.com')
		.execute();
	await expect(restoreInto(place)).rejects.toThrow(
		'The rows are not those of the backup: users: the rows are not the same.',
	);
	await expect(createSecondProcess(world, place.config)).rejects.toThrow('was not finished');
	expect(await restoreInto(place)).toMatchObject({ faults: [] });
	expect((await buffer(await storage.read(key))).equals(Buffer.alloc(first?.size_bytes ?? 0, 'x'))).toBe(false);
	expect(await readComparableRows(place.connection)).toEqual(await readComparableRows(whole.connection));
	await storage.close();
});

test('a restore is refused while a server runs, and no server starts during it', async () => {
	const place = await createInstallation(other);
	const on = { config: place.config, db: place.connection.db, log: world.deps.log };
	await migrate(on.db);
	const lock = acquireServerLock(place.config);
	const lease = await acquireServerLease(on);
	await expect(restoreInto(place)).rejects.toThrow('Stop the server first');
	await lease?.release();
	lock?.release();
	const begun = Promise.withResolvers<void>();
	const restoring = restoreInto(place, { say: () => begun.resolve() });
	await begun.promise;
	if (other === 'sqlite') expect(() => acquireServerLock(place.config)).toThrow('already serves or restores');
	await expect(createSecondProcess(world, place.config)).rejects.toThrow(ConfigError);
	await restoring;
	acquireServerLock(place.config)?.release();
	await (await createSecondProcess(world, place.config)).close();
});

if (testDatabase === 'postgres') {
	test('a restore into PostgreSQL is refused while a server runs on it, on any machine', async () => {
		const place = await createInstallation('postgres');
		await migrate(place.connection.db);
		const lease = await acquireServerLease({ db: place.connection.db, log: world.deps.log });
		await expect(restoreInto(place)).rejects.toThrow(/Stop the server first.*process \d+ on/u);
		await lease?.release();
		expect(await restoreInto(place)).toMatchObject({ faults: [] });
	});

	test.each([['process_leases'], ['unfinished_load', 'process_leases', 'users']])(
		'a restore into PostgreSQL that was killed while it dropped tables, %s first, is repeated',
		async (...dropped) => {
			const place = await createInstallation('postgres');
			await migrate(place.connection.db);
			for (const table of dropped) await place.connection.db.schema.dropTable(table).ifExists().cascade().execute();
			expect(await restoreInto(place)).toMatchObject({ faults: [] });
		},
	);
}

test('a restore is refused when the database has tables of another program', async () => {
	const place = await createInstallation(other);
	await place.connection.db.schema.createTable('notes').addColumn('text', 'text').execute();
	await expect(restoreInto(place)).rejects.toThrow('tables of something else (notes)');
});

test('a restore into PostgreSQL replaces and counts NUL characters, which a restore into SQLite keeps', async () => {
	const embedded = await createInstallation('sqlite');
	await restoreInto(embedded);
	await embedded.connection.db.updateTable('canned_replies').set({ message: 'a\0b' }).where('id', '=', 'cr').execute();
	const path = join(folder, 'with NUL');
	const twin = await createSecondProcess(world, embedded.config);
	try {
		await backUp(twin.deps, path, quiet);
	} finally {
		await twin.close();
	}
	const isPostgres = testDatabase === 'postgres';
	const place = await createInstallation(testDatabase);
	expect(await restoreInto(place, { path })).toMatchObject({ replacedNuls: isPostgres ? 1 : 0, faults: [] });
	const { message } = await place.connection.db
		.selectFrom('canned_replies')
		.select('message')
		.where('id', '=', 'cr')
		.executeTakeFirstOrThrow();
	expect(message).toBe(isPostgres ? 'a\u{FFFD}b' : 'a\0b');
});
