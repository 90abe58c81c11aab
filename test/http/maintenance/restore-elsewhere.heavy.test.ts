import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { backUp } from '#server/features/maintenance/backup/backup.service.ts';
import { describeRestored, describeStorage } from '#server/features/maintenance/restore/restore.service.ts';
import { checkIntegrity } from '#server/features/maintenance/tasks/tasks.service.ts';
import { ConfigError } from '#server/platform/config.ts';
import { listTableNames } from '#server/platform/database/bulk-copy/table-catalog.ts';
import { migrate } from '#server/platform/database/migrations/migrate.ts';
import { getInstallation, getInstallationId } from '#server/platform/installation.ts';
import { acquireServerLease } from '#server/platform/locking/leases/process-leases.ts';
import { acquireServerLock } from '#server/platform/locking/process-lock.ts';
import { openStorage } from '#server/platform/storage/open-storage.ts';
import { acquireStorage, findStorageOwner } from '#server/platform/storage/storage-ownership.ts';
import { fastTemporaryFolder } from '../../../scripts/services/memory-disk.mjs';
import { findRows, getRow } from '../../support/app/database-rows.ts';
import { createHttpClient } from '../../support/app/http-client.ts';
import { openSecondProcess } from '../../support/app/shared-test-app.ts';
import { createSecondProcess, createTestApp } from '../../support/app/test-app.ts';
import {
	failAfterStatements,
	hardToEncodeText,
	hashStoredBytes,
	openEmptyInstallation,
	readComparableRows,
	restoreInto,
	seedEveryTable,
	withoutUnfinishedUploads,
} from '../../support/fixtures/installations.ts';
import { testDatabase } from '../../support/services/test-database.ts';

const ignoreOutput = () => {};
const otherKind = testDatabase === 'postgres' ? 'sqlite' : testDatabase;

const testApp = await createTestApp();
afterAll(() => testApp.close());
await seedEveryTable(testApp.deps);
const folder = await mkdtemp(join(fastTemporaryFolder(2 ** 30), 'folio-elsewhere-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const backup = join(folder, 'backup');
await backUp(testApp.deps, backup, ignoreOutput);

const createInstallation = (kind: 'sqlite' | 'postgres', settings = {}) =>
	openEmptyInstallation(testApp.deps.config, kind, settings);

test('a backup keeps rows and bytes when it is restored into another database and storage and back again', async () => {
	const rows = withoutUnfinishedUploads(await readComparableRows(testApp.deps.connection));
	expect(rows.canned_replies?.join()).toContain(JSON.stringify(hardToEncodeText).slice(1, 20));
	const bytes = await hashStoredBytes(testApp.deps);
	const there = await createInstallation(otherKind, { storage: 'disk' });
	const moved = await restoreInto(there, backup);
	expect(moved).toMatchObject({ files: { problems: [] }, migrated: [], discardedUploads: 2, replacedNuls: 0 });
	expect(moved.files.files).toBe(Object.keys(bytes).length);
	expect(describeRestored(moved)[0]).toContain('each compared with its hash');
	expect(describeStorage(moved)).toEqual([expect.stringContaining('another installation than the original')]);
	expect(withoutUnfinishedUploads(await readComparableRows(there.connection))).toEqual(rows);

	const backupOfThere = join(folder, 'backup of there');
	const back = await createInstallation(testDatabase);
	const serverThere = await openSecondProcess(testApp, there.config);
	expect(await hashStoredBytes(serverThere.deps)).toEqual(bytes);
	expect((await checkIntegrity(serverThere.deps)).problems).toEqual([]);
	expect(await getInstallationId(serverThere.deps.db, testApp.clock)).not.toBe(
		await getInstallationId(testApp.deps.db, testApp.clock),
	);
	await expect(backUp(serverThere.deps, backup, ignoreOutput)).rejects.toThrow('the backup of another installation');
	await backUp(serverThere.deps, backupOfThere, ignoreOutput);
	await expect(restoreInto(there, backup)).rejects.toThrow('The database is in use');
	expect(await restoreInto(back, backupOfThere)).toMatchObject({ files: { problems: [] }, discardedUploads: 0 });
	expect(withoutUnfinishedUploads(await readComparableRows(back.connection))).toEqual(rows);
	const serverBack = await openSecondProcess(testApp, back.config);
	expect(await hashStoredBytes(serverBack.deps)).toEqual(bytes);
	expect((await checkIntegrity(serverBack.deps)).problems).toEqual([]);
	const client = createHttpClient(serverBack.app);
	await client.signIn('rohan@folio.example', 'build-your-empire');
	expect((await client.call('GET', '/api/users?search=asha')).json().items).toHaveLength(1);
	expect((await client.call('GET', '/api/orders?search=meera')).json().items).toHaveLength(1);
});

test('rows alone are restored beside the files of the original when its server has stopped, a backup with files is not', async () => {
	const target = await createInstallation(otherKind);
	const { s3, DATA_DIR } = testApp.deps.config;
	if (s3 === null) await symlink(join(DATA_DIR, 'storage'), join(target.folder, 'storage'));
	const config = { ...target.config, s3: s3 && { ...s3, endpoint: `${s3.endpoint}/` } };
	const bytes = await hashStoredBytes(testApp.deps);
	const rows = join(backup, (await readdir(backup)).find((name) => name.startsWith('rows-')) ?? '');
	await expect(restoreInto({ ...target, config }, backup)).rejects.toThrow(/belongs? to another Folio/u);
	const server = await acquireStorage(testApp.deps);
	const refusal = /^A server with another database uses these stored files \(process \d+ on/u;
	await expect(restoreInto({ ...target, config }, rows)).rejects.toThrow(refusal);
	expect(await readdir(target.folder)).toEqual(s3 === null ? ['storage'] : []);
	expect(await listTableNames(target.connection.db)).toEqual([]);
	await server.release();

	const restored = await restoreInto({ ...target, config }, rows);
	expect(describeStorage(restored)).toEqual([expect.stringContaining('Never start a server with the old database')]);
	expect(restored.files).toMatchObject({
		kept: Object.keys(bytes).length,
		files: Object.keys(bytes).length,
		problems: [],
	});
	expect(await hashStoredBytes(testApp.deps)).toEqual(bytes);
	const [ours, theirs] = [
		await getInstallation(target.connection.db, testApp.clock),
		await getInstallation(testApp.deps.db, testApp.clock),
	];
	expect(ours.id).toBe(theirs.id);
	expect(ours.database).not.toBe(theirs.database);
	const newServer = await acquireStorage((await openSecondProcess(testApp, config)).deps);
	await expect(acquireStorage(testApp.deps)).rejects.toThrow(refusal);
	await newServer.release();
	await (await acquireStorage(testApp.deps)).release();
});

test('a restore is refused when the storage contains files of another installation, and does not change them', async () => {
	const target = await createInstallation(otherKind, { storage: 'disk' });
	const storage = join(target.folder, 'storage');
	await mkdir(storage);
	await writeFile(join(storage, 'theirs.pdf'), 'theirs');
	await expect(restoreInto(target, backup)).rejects.toThrow('contains files that are not recorded in this database');
	await writeFile(join(storage, '.folio'), 'of theirs\n');
	await expect(restoreInto(target, backup)).rejects.toThrow('belong to another Folio');
	expect(await readdir(storage)).toEqual(['.folio', 'theirs.pdf']);
	expect(await readdir(target.folder)).toEqual(['storage']);
});

test('a restore whose rows differ from the backup blocks the start of the server until a restore succeeds', async () => {
	const target = await createInstallation(otherKind);
	const whole = await createInstallation(otherKind);
	const counting = failAfterStatements(whole.connection, Number.POSITIVE_INFINITY);
	await restoreInto({ ...whole, connection: counting }, backup);
	const nearlyAll = failAfterStatements(target.connection, counting.counted() - 2);
	await expect(restoreInto({ ...target, connection: nearlyAll }, backup)).rejects.toThrow('killed');
	const first = (await findRows(testApp.deps, 'blobs')).find(({ size_bytes }) => size_bytes > 3);
	const key = first?.storage_key ?? '';
	const storage = await openStorage(target.config, {
		findInstallationId: async (claimed) => (await findStorageOwner(claimed)) ?? '',
		hasFiles: async () => false,
		log: testApp.deps.log,
	});
	await storage.put(key, Buffer.alloc(first?.size_bytes ?? 0, 'x'));
	const users = target.connection.db.updateTable('users').set({ name: 'Somebody Else' });
	await users.where('email', '=', 'asha.verma@example.com').execute();
	await expect(restoreInto(target, backup)).rejects.toThrow(
		'The rows are not those of the backup: users: the rows are not the same.',
	);
	await expect(createSecondProcess(testApp, target.config)).rejects.toThrow('was not finished');
	expect(await restoreInto(target, backup)).toMatchObject({ files: { problems: [] } });
	expect((await buffer(await storage.read(key))).equals(Buffer.alloc(first?.size_bytes ?? 0, 'x'))).toBe(false);
	expect(await readComparableRows(target.connection)).toEqual(await readComparableRows(whole.connection));
	await storage.close();
});

test('a restore is refused while a server is running, and no server can start during a restore', async () => {
	const target = await createInstallation(otherKind);
	const deps = { config: target.config, db: target.connection.db, log: testApp.deps.log };
	await migrate(deps.db);
	const lock = acquireServerLock(target.config);
	const lease = await acquireServerLease(deps);
	await expect(restoreInto(target, backup)).rejects.toThrow('Stop the server first');
	await lease?.release();
	lock?.release();
	const started = Promise.withResolvers<void>();
	const restoring = restoreInto(target, backup, () => started.resolve());
	await started.promise;
	if (otherKind === 'sqlite') expect(() => acquireServerLock(target.config)).toThrow('already serves or restores');
	await expect(createSecondProcess(testApp, target.config)).rejects.toThrow(ConfigError);
	await restoring;
	acquireServerLock(target.config)?.release();
	await (await createSecondProcess(testApp, target.config)).close();
});

if (testDatabase === 'postgres') {
	test('a restore into PostgreSQL is refused while a server on any machine uses the database', async () => {
		const target = await createInstallation('postgres');
		await migrate(target.connection.db);
		const lease = await acquireServerLease({ db: target.connection.db, log: testApp.deps.log });
		await expect(restoreInto(target, backup)).rejects.toThrow(/Stop the server first.*process \d+ on/u);
		await lease?.release();
		expect(await restoreInto(target, backup)).toMatchObject({ files: { problems: [] } });
	});

	test.each([['process_leases'], ['unfinished_load', 'process_leases', 'users']])(
		'a restore into PostgreSQL can be repeated after it was killed while it dropped tables (%s first)',
		async (...dropped) => {
			const target = await createInstallation('postgres');
			await migrate(target.connection.db);
			for (const table of dropped) await target.connection.db.schema.dropTable(table).ifExists().cascade().execute();
			expect(await restoreInto(target, backup)).toMatchObject({ files: { problems: [] } });
		},
	);
}

test('a restore is refused when the database contains tables of another program', async () => {
	const target = await createInstallation(otherKind);
	await target.connection.db.schema.createTable('notes').addColumn('text', 'text').execute();
	await expect(restoreInto(target, backup)).rejects.toThrow('tables of another program (notes)');
});

test('a restore into PostgreSQL replaces and counts NUL characters, and a restore into SQLite keeps them', async () => {
	const embedded = await createInstallation('sqlite');
	await restoreInto(embedded, backup);
	await embedded.connection.db.updateTable('canned_replies').set({ message: 'a\0b' }).where('id', '=', 'cr').execute();
	const path = join(folder, 'with NUL');
	await backUp((await openSecondProcess(testApp, embedded.config)).deps, path, ignoreOutput);
	const isPostgres = testDatabase === 'postgres';
	const target = await createInstallation(testDatabase);
	expect(await restoreInto(target, path)).toMatchObject({ replacedNuls: isPostgres ? 1 : 0, files: { problems: [] } });
	const { message } = await getRow(target.connection, 'canned_replies', { id: 'cr' });
	expect(message).toBe(isPostgres ? 'a\u{FFFD}b' : 'a\0b');
});
