import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
	cp,
	mkdir,
	mkdtemp,
	readdir,
	readFile,
	rename,
	rm,
	rmdir,
	stat,
	symlink,
	truncate,
	writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { importLogins } from '#server/features/accounts/import/login-import.ts';
import { createRecordRow, lookupKeyOf } from '#server/features/credentials/sealed-records.ts';
import { purgeNode } from '#server/features/files/trash/trash.service.ts';
import { deleteNode } from '#server/features/files/tree/tree.service.ts';
import { backUp } from '#server/features/maintenance/backup/backup.service.ts';
import { PreconditionError } from '#server/features/maintenance/backup/operator-command.ts';
import {
	describeRotation,
	rotateSecret,
} from '#server/features/maintenance/secret-rotation/secret-rotation.service.ts';
import { checkIntegrity, collectGarbage } from '#server/features/maintenance/tasks/tasks.service.ts';
import { utrLookupKeys } from '#server/features/orders/duplicate-proofs/duplicate-proofs.service.ts';
import { jobHandlers } from '#server/job-handlers.ts';
import { listSealed, sealedContent } from '#server/platform/auth/sealed-columns.queries.ts';
import { ConfigError } from '#server/platform/config.ts';
import { openSnapshot } from '#server/platform/database/bulk-copy/snapshot.ts';
import { isExcludedFromCopies, listTableNames } from '#server/platform/database/bulk-copy/table-catalog.ts';
import { runNextJob } from '#server/platform/jobs/jobs.ts';
import { acquireProcessLease, acquireServerLease } from '#server/platform/locking/leases/process-leases.ts';
import { acquireServerLock } from '#server/platform/locking/process-lock.ts';
import { fastTemporaryFolder } from '../../../scripts/services/memory-disk.mjs';
import { findRows, getRow, insertRows } from '../../support/app/database-rows.ts';
import { createHttpClient } from '../../support/app/http-client.ts';
import { openSecondProcess } from '../../support/app/shared-test-app.ts';
import { listStoredKeys, storageKeyOfFile } from '../../support/app/stored-objects.ts';
import { createSecondProcess, createTestApp } from '../../support/app/test-app.ts';
import { adminCaller, makeSignedInUser, makeUser, testPassword } from '../../support/app/users.ts';
import { sendCheckoutForm } from '../../support/fixtures/checkout.ts';
import { makeTextFile } from '../../support/fixtures/files.ts';
import { publishedLogin } from '../../support/fixtures/imported-logins.ts';
import {
	failAfterStatements,
	openEmptyInstallation,
	pickKillMoments,
	readComparableRows,
	restoreInto,
	seedEveryTable,
	withoutUnfinishedUploads,
} from '../../support/fixtures/installations.ts';
import { changeOrder, makeOrder } from '../../support/fixtures/orders.ts';
import { type Authenticator, setUpTwoFactor } from '../../support/fixtures/two-factor.ts';
import { testDatabase } from '../../support/services/test-database.ts';

const ignoreOutput = () => {};

const testApp = await createTestApp();
afterAll(() => testApp.close());
const { deps } = testApp;
await seedEveryTable(deps);
const ownerEmail = 'rohan@folio.example';
const owner = adminCaller((await getRow(deps, 'users', { email: ownerEmail })).id, ownerEmail);
const folder = await mkdtemp(join(fastTemporaryFolder(2 ** 30), 'folio-backup-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const createInstallation = (kind: 'sqlite' | 'postgres' = 'sqlite', settings = {}) =>
	openEmptyInstallation(deps.config, kind, settings);

const backUpInto = (path: string) => backUp(deps, path, ignoreOutput);
const makeText = (name: string, text = name) => makeTextFile(deps, 'guest', name, text);
const listFiles = async (path: string) =>
	(await readdir(path, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());

describe('a snapshot of the database', () => {
	test('contains every table that is not excluded on purpose', async () => {
		const names = await listTableNames(deps.db);
		const snapshot = await openSnapshot(deps.connection);
		await snapshot.close();
		const copied = snapshot.tables.map(({ name }) => name);
		const rest = names.filter((name) => !copied.includes(name)).sort();
		// The search tables are omitted, because they are virtual tables in SQLite and views in PostgreSQL.
		expect(rest.filter((name) => !/_search(_|$)/u.test(name))).toEqual([
			'deferred_deletes',
			'kysely_migration',
			'kysely_migration_lock',
			'leases',
			'orders_totals',
			'process_leases',
			'users_counts',
		]);
		expect(rest.filter((name) => isExcludedFromCopies(name)).length).toBe(testDatabase === 'sqlite' ? 9 : 5);
		expect(copied.length).toBeGreaterThan(35);
	});

	test('has parent tables before child tables, and each row once', async () => {
		const snapshot = await openSnapshot(deps.connection);
		onTestFinished(() => snapshot.close());
		const seen = new Set<string>();
		for (const table of snapshot.tables) {
			expect(table.parents.filter((parent) => !seen.has(parent))).toEqual([]);
			seen.add(table.name);
			const at = table.keys.map((key) => table.columns.indexOf(key));
			const keys: string[] = [];
			for await (const rows of snapshot.rows(table))
				for (const row of rows) keys.push(JSON.stringify(at.map((i) => row[i])));
			expect(new Set(keys).size, table.name).toBe(keys.length);
			expect(keys.length, `${table.name} must have rows for this test`).toBeGreaterThan(0);
		}
	});

	test('does not contain rows that were written after the snapshot began', async () => {
		const snapshot = await openSnapshot(deps.connection);
		onTestFinished(async () => {
			await snapshot.close();
			await deps.db.deleteFrom('settings').where('key', '=', 'later').execute();
		});
		const count = async () => {
			const settings = snapshot.tables.find(({ name }) => name === 'settings');
			let rows = 0;
			if (settings !== undefined) for await (const batch of snapshot.rows(settings)) rows += batch.length;
			return rows;
		};
		const before = await count();
		await insertRows(deps, 'settings', [{ key: 'later', value: '', version: 1, updated_at: '' }]);
		expect(await count()).toBe(before);
	});
});

describe('a backup', () => {
	let dir: string;
	beforeAll(async () => {
		dir = join(folder, 'whole');
		await backUpInto(dir);
	});

	test('can be read only by its owner, and its manifest describes its content', async () => {
		expect((await stat(dir)).mode & 0o777).toBe(0o700);
		const names = (await readdir(dir)).sort();
		const rows = expect.stringMatching(/^rows-.*\.jsonl\.gz$/u);
		expect(names).toEqual(['backup.process-lock', 'files', 'manifest.json', rows]);
		for (const name of names) expect((await stat(join(dir, name))).mode & 0o077).toBe(0);
		const manifest = JSON.parse(await readFile(join(dir, 'manifest.json'), 'utf8'));
		const blobs = (await findRows(deps, 'blobs')).length;
		expect(manifest).toMatchObject({
			product: 'Folio',
			at: testApp.clock.now().toISOString(),
			files: { count: blobs, faults: [] },
			secret: { kept: 'elsewhere' },
		});
		expect(manifest.rows.tables.blobs.rows).toBe(blobs);
		expect(JSON.stringify(manifest)).not.toContain(deps.config.SECRET);
	});

	test('can be restored again after a restore was killed at its beginning, in the middle or at its end', async () => {
		const whole = withoutUnfinishedUploads(await readComparableRows(deps.connection));
		// The first restore also prepares queries, which count only once in a process.
		await restoreInto(await createInstallation(), dir);
		const first = await createInstallation();
		const counting = failAfterStatements(first.connection, Number.POSITIVE_INFINITY);
		await restoreInto({ ...first, connection: counting }, dir);
		for (const statements of pickKillMoments(counting.counted())) {
			const target = await createInstallation();
			const connection = failAfterStatements(target.connection, statements);
			const killed = restoreInto({ ...target, connection }, dir);
			await expect(killed, `${statements}`).rejects.toThrow('killed');
			// The server refuses a database with an incomplete restore.
			if (statements > 1) await expect(createSecondProcess(testApp, target.config)).rejects.toThrow(ConfigError);
			await restoreInto(target, dir);
			expect(await readComparableRows(target.connection)).toEqual(whole);
			const secondApp = await createSecondProcess(testApp, target.config);
			expect((await checkIntegrity(secondApp.deps)).problems).toEqual([]);
			await secondApp.close();
		}
	});

	test('cannot be restored into an installation during another restore into this installation', async () => {
		const target = await createInstallation(testDatabase);
		const other = await mkdtemp(join(folder, 'other-'));
		// With PostgreSQL, the other restore can have a different data folder on another machine.
		const settings = [target.config, ...(testDatabase === 'postgres' ? [{ ...target.config, DATA_DIR: other }] : [])];
		const started = Promise.withResolvers<void>();
		const first = restoreInto(target, dir, () => started.resolve());
		await started.promise;
		const refusal = /^Another restore into .* is under way: wait for its end/u;
		for (const config of settings) await expect(restoreInto({ ...target, config }, dir)).rejects.toThrow(refusal);
		expect((await first).files.problems).toEqual([]);
		expect(await readComparableRows(target.connection)).toEqual(
			withoutUnfinishedUploads(await readComparableRows(deps.connection)),
		);
	});

	test('is refused with a message when it is incomplete or does not match the installation', async () => {
		const target = await createInstallation();
		await expect(restoreInto(target, join(folder, 'nowhere'))).rejects.toThrow('There is nothing at');
		await expect(restoreInto(target, folder)).rejects.toThrow('contains no finished backup');
		const restoreWith = (SECRET: string | undefined) =>
			restoreInto({ ...target, config: { ...target.config, SECRET } }, dir);
		await expect(restoreWith('another secret of 16')).rejects.toThrow('SECRET is not the one');
		await expect(restoreWith(undefined)).rejects.toThrow('set SECRET');
		const cut = join(folder, 'cut');
		await backUpInto(cut);
		const rows = (await readdir(cut)).find((name) => name.startsWith('rows-')) ?? '';
		await truncate(join(cut, rows), (await stat(join(cut, rows))).size - 20);
		await expect(restoreInto(target, cut)).rejects.toThrow('is incomplete or damaged');
		expect(await listTableNames(target.connection.db)).toEqual([]);
		await expect(backUpInto(deps.config.DATA_DIR)).rejects.toThrow('is not empty');
		const inStorage = join(deps.config.DATA_DIR, 'storage', 'backup');
		await expect(backUpInto(inStorage)).rejects.toThrow('inside DATA_DIR/storage');
	});

	test('cannot be written into the storage folder through a symbolic link', async () => {
		const storage = join(deps.config.DATA_DIR, 'storage');
		await mkdir(storage, { recursive: true });
		const link = join(folder, 'link');
		await symlink(storage, link);
		await expect(backUpInto(join(link, 'a', 'backup'))).rejects.toThrow('inside DATA_DIR/storage');
		expect(await readdir(storage)).not.toContain('a');
		// Now the storage folder itself is a symbolic link.
		const data = join(folder, 'data');
		const elsewhere = join(folder, 'elsewhere');
		await mkdir(data);
		await mkdir(elsewhere);
		await symlink(elsewhere, join(data, 'storage'));
		const linked = { ...deps, config: { ...deps.config, DATA_DIR: data } };
		await expect(backUp(linked, join(elsewhere, 'backup'), ignoreOutput)).rejects.toThrow('inside DATA_DIR/storage');
	});

	/** Copies the backup and changes its rows and checksums. @returns the folder and the path of the rows file */
	async function withChangedRows(name: string, change: (lines: string[]) => string[]) {
		const path = join(folder, name);
		await cp(dir, path, { recursive: true });
		const file = join(path, (await readdir(path)).find((entry) => entry.startsWith('rows-')) ?? '');
		const text = gunzipSync(await readFile(file)).toString();
		const lines = change(text.trimEnd().split('\n'));
		let rows: string[] = [];
		const summed = lines.map((line) => {
			if (line.startsWith('[')) rows.push(`${line}\n`);
			if (!line.startsWith('{"end"')) return line;
			const sha256 = createHash('sha256').update(rows.join('')).digest('hex');
			const end = JSON.stringify({ end: JSON.parse(line).end, rows: rows.length, sha256 });
			rows = [];
			return end;
		});
		await writeFile(file, gzipSync(`${summed.join('\n')}\n`));
		return { path, file };
	}
	const renamed = (lines: string[]) => lines.map((line) => line.replace('Asha', 'Usha'));
	const withUnknownTable = (lines: string[]) => [
		...lines.slice(0, -1),
		'{"table":"evil","columns":["a"]}',
		'{"end":"evil"}',
		JSON.stringify({ complete: JSON.parse(lines.at(-1) ?? '').complete + 1 }),
	];

	test('is refused before any write when its rows do not match its manifest', async () => {
		const target = await createInstallation();
		const unchanged = await withChangedRows('unchanged', (lines) => lines);
		// A different compression changes the size of the file, but not the hashes of the rows.
		await writeFile(unchanged.file, gzipSync(gunzipSync(await readFile(unchanged.file)), { level: 1 }));
		await expect(restoreInto(target, unchanged.path)).rejects.toThrow('are not those of its manifest');
		for (const [name, change] of Object.entries({ renamed, withUnknownTable })) {
			const { path, file } = await withChangedRows(name, change);
			const manifest = JSON.parse(await readFile(join(path, 'manifest.json'), 'utf8'));
			manifest.rows.sizeBytes = (await stat(file)).size;
			await writeFile(join(path, 'manifest.json'), JSON.stringify(manifest));
			await expect(restoreInto(target, path), name).rejects.toThrow('are not those of its manifest');
		}
		expect(await listTableNames(target.connection.db)).toEqual([]);
	});

	test('with a damaged rows file is refused with a message', async () => {
		const target = await createInstallation();
		const badColumns = '{"table":"users","columns":5}';
		const kinds: Record<string, [(lines: string[]) => string[], string]> = {
			following: [(lines) => [...lines, '["x"]'], 'is incomplete or damaged: something follows its end'],
			twice: [(lines) => [...lines, lines.at(-1) ?? ''], 'is incomplete or damaged: something follows its end'],
			null: [(lines) => lines.toSpliced(1, 0, 'null'), 'is incomplete or damaged: a line is out of place'],
			columns: [(lines) => lines.toSpliced(1, 0, badColumns), 'is incomplete or damaged: a line is out of place'],
			wide: [(lines) => lines.map((line) => line.replace(/^(\[.*)\]$/u, '$1,{}]')), 'cannot be one'],
		};
		for (const [name, [change, words]] of Object.entries(kinds)) {
			const { path } = await withChangedRows(name, change);
			await expect(restoreInto(target, path), name).rejects.toThrow(words);
			await expect(restoreInto(target, path), name).rejects.toThrow(PreconditionError);
		}
		const { path, file } = await withChangedRows('cut short', (lines) => lines);
		for (const size of [(await stat(file)).size - 1, 2000, 5, 0]) {
			await truncate(file, size);
			await expect(restoreInto(target, path), `${size}`).rejects.toThrow(PreconditionError);
		}
		await rm(file);
		await expect(restoreInto(target, path)).rejects.toThrow(`${file} is missing: without it there is no backup.`);
		await mkdir(file);
		await expect(restoreInto(target, path)).rejects.toThrow(`${file} cannot be read`);
		expect(await listTableNames(target.connection.db)).toEqual([]);
		// An upgrade writes such rows files without a manifest.
		const laidAside = await withChangedRows('laid aside', withUnknownTable);
		await expect(restoreInto(target, laidAside.file)).rejects.toThrow(PreconditionError);
		await expect(restoreInto(target, laidAside.file)).rejects.toThrow('The table evil is not one of the version');
	});

	test('with a changed file is refused and blocks the start of the server, and can be restored when the file is correct again', async () => {
		const lost = join(folder, 'lost');
		await backUpInto(lost);
		const [file] = await listFiles(join(lost, 'files'));
		const path = join(file?.parentPath ?? '', file?.name ?? '');
		const bytes = await readFile(path);
		const target = await createInstallation();
		await writeFile(path, 'something else');
		await expect(restoreInto(target, lost)).rejects.toThrow('has lost files');
		await expect(restoreInto(target, lost)).rejects.toThrow(PreconditionError);
		await expect(createSecondProcess(testApp, target.config)).rejects.toThrow(ConfigError);
		await writeFile(path, bytes);
		await restoreInto(target, lost);
		const { nodes } = await readComparableRows(deps.connection);
		expect((await readComparableRows(target.connection)).nodes).toEqual(nodes);
	});

	test('into the folder of an earlier backup replaces the rows, and deletes the files of deleted nodes', async () => {
		const again = join(folder, 'again');
		const gone = await makeText('gone.txt', 'gone');
		await backUpInto(again);
		const filesOf = async () => (await listFiles(join(again, 'files'))).map(({ name }) => name);
		const before = await filesOf();
		const added = await keyOf(await makeText('new.txt'));
		expect(existsSync(join(again, 'files', added))).toBe(false);
		await purgeFile(gone);
		const second = await backUpInto(again);
		expect(second.files.count).toBe(before.length);
		expect((await filesOf()).sort()).not.toEqual(before.sort());
		expect((await readdir(again)).filter((name) => name.startsWith('rows-'))).toEqual([second.rows.file]);
		const target = await createInstallation();
		expect((await restoreInto(target, again)).files.problems).toEqual([]);
	});

	test('reports missing stored bytes, but is completed and can be restored', async () => {
		const id = await makeText('hollow.txt', 'hollow');
		const key = await keyOf(id);
		await deps.storage.remove([key]);
		const dir = join(folder, 'hollow');
		expect((await backUpInto(dir)).files.faults).toEqual([{ key, what: 'missing' }]);
		const target = await createInstallation();
		expect((await restoreInto(target, dir)).files.problems).toEqual([{ key, what: 'missing' }]);
		await deps.storage.put(key, Buffer.from('hollow'));
	});
});

describe('two backups into one folder', () => {
	/** Starts a backup that pauses before it copies the first file. */
	async function pausedBackup(dir: string) {
		const reached = Promise.withResolvers<void>();
		const resume = Promise.withResolvers<void>();
		const read = async (...args: Parameters<typeof deps.storage.read>) => {
			reached.resolve();
			await resume.promise;
			return deps.storage.read(...args);
		};
		const done = backUp({ ...deps, storage: { ...deps.storage, read } }, dir, ignoreOutput);
		// Prevents an unhandled rejection before the test awaits `done`.
		done.catch(() => {});
		await reached.promise;
		return { done, resume: () => resume.resolve() };
	}

	test('cannot run at the same time, but one after the other', async () => {
		const dir = join(folder, 'twice');
		const first = await pausedBackup(dir);
		await expect(backUpInto(dir)).rejects.toThrow(`Another backup into ${dir} is under way: wait for its end`);
		first.resume();
		const { rows } = await first.done;
		expect((await readdir(dir)).sort()).toEqual(['backup.process-lock', 'files', 'manifest.json', rows.file]);
		await backUpInto(dir);
	});

	test('keep the first backup when the rows of the second backup are deleted during the second backup', async () => {
		const dir = join(folder, 'swept');
		const { rows } = await backUpInto(dir);
		await rm(join(dir, 'files'), { recursive: true });
		const second = await pausedBackup(dir);
		const added = (await readdir(dir)).find((name) => name.startsWith('rows-') && name !== rows.file) ?? '';
		await rm(join(dir, added));
		second.resume();
		await expect(second.done).rejects.toThrow(`${added} was removed from ${dir} meanwhile`);
		const target = await createInstallation();
		expect((await restoreInto(target, dir)).files.problems).toEqual([]);
	});
});

describe('with the secret in the data folder', () => {
	test('a backup contains the secret, and a restore writes this secret into the data folder', async () => {
		await writeFile(join(deps.config.DATA_DIR, 'secret'), `${deps.config.SECRET}\n`);
		const own = await openSecondProcess(testApp, { SECRET: undefined });
		const dir = join(folder, 'secret');
		const { secret } = await backUp(own.deps, dir, ignoreOutput);
		expect(secret.kept).toBe('here');
		expect((await stat(join(dir, secret.file))).mode & 0o777).toBe(0o600);
		const target = await createInstallation('sqlite', { SECRET: undefined });
		await writeFile(join(target.folder, 'secret'), 'made by an early start, and of no use\n');
		await restoreInto(target, dir);
		const text = await readFile(join(deps.config.DATA_DIR, 'secret'), 'utf8');
		expect(await readFile(join(target.folder, 'secret'), 'utf8')).toBe(text);
		expect(await readFile(join(target.folder, 'secret.before-restore'), 'utf8')).toContain('of no use');
	});
});

describe('the rotation of the secret', () => {
	const next = 'the secret after the rotation';
	const former = deps.config.SECRET;
	const adminEmail = 'authenticator@example.com';
	const utr = 'Txn 627632112345 a/c 123412341234';
	let completed: { id: string };
	let authenticator: Authenticator;
	let whole: string;
	beforeAll(async () => {
		const sealed = (context: string, plain = '"x"') => deps.secrets.seal(context, plain);
		const lookup = { id: 'cl', at: '', asked_sealed: sealed('credential_lookups.asked_sealed'), is_found: 0 } as const;
		await insertRows(deps, 'credential_lookups', [{ ...lookup, user_id: null, ip: '', user_agent: '' }]);
		const { client } = await makeSignedInUser(testApp, adminEmail, 'admin');
		authenticator = await setUpTwoFactor(testApp, (url, body) => client.call('POST', url, body));
		const email = 'two-numbers@example.com';
		completed = await makeOrder(deps, { userId: await makeUser(deps, email), email, utr });
		expect(await changeOrder(client, completed.id, { status: 'Complete' })).toMatchObject({ statusCode: 200 });
		// Mails that were sent have no content.
		const mail = { payload_sealed: sealed('outbox.payload') };
		await deps.db.updateTable('outbox').set(mail).where('payload_sealed', 'is', null).execute();
		await deps.db.deleteFrom('imported_logins').execute();
		const { config: hash_config, hash: passwordHash, salt } = publishedLogin;
		const users = [{ localId: 'x', email: 'imported@example.com', passwordHash, salt }];
		await importLogins(deps, JSON.stringify({ hash_config, users }));
		const record = { username: 'a', state: 'b', id: 'c', password: 'd' };
		await insertRows(deps, 'credentials', [{ ...createRecordRow(deps, record), id: 'rotated' }]);
		whole = join(folder, 'before rotation');
		await backUpInto(whole);
	});

	/** Restores the backup, with the settings of a rotation. */
	async function restoreForRotation(settings = {}) {
		const target = await createInstallation(testDatabase);
		await restoreInto(target, whole);
		return { ...target, config: { ...target.config, SECRET: next, PREVIOUS_SECRET: former, ...settings } };
	}
	const sealedTextsOf = async (connection: typeof deps.connection) =>
		Object.values(await readComparableRows(connection)).flatMap((rows) => rows.join().match(/v1\.[\w-]{38,}/gu) ?? []);
	const listContent = async (app: typeof testApp.app) => {
		const client = createHttpClient(app);
		const account = { email: adminEmail, password: testPassword, code: authenticator.nextCode() };
		expect(await client.call('POST', '/api/sign-in', account)).toMatchObject({ statusCode: 200 });
		return (await client.call('GET', '/api/orders')).json();
	};

	test('encrypts everything with the new secret, also when it is killed and repeated, and no server starts until it has finished', async () => {
		const first = await restoreForRotation();
		const before = await sealedTextsOf(first.connection);
		for (const column of sealedContent().columns)
			expect(await listSealed(first.connection.db, column, '', 1), column.column).toHaveLength(1);
		const counting = failAfterStatements(first.connection, Number.POSITIVE_INFINITY);
		const rotated = await rotateSecret(first.config, counting);
		expect(rotated).toMatchObject({ unreadable: 0, users: 2, references: 1, isSetting: true });
		expect(describeRotation(rotated).join(' ')).toContain('Recovery codes no longer work: 2 users');
		await expect(rotateSecret(first.config, first.connection)).resolves.toMatchObject({ sealed: 0 });
		for (const part of [0.1, 0.5, 0.9, 1]) {
			const target = part === 1 ? first : await restoreForRotation();
			if (part < 1) {
				const connection = failAfterStatements(target.connection, Math.floor(counting.counted() * part));
				await expect(rotateSecret(target.config, connection), `${part}`).rejects.toThrow('killed');
				for (const SECRET of [next, former])
					await expect(createSecondProcess(testApp, { ...target.config, SECRET })).rejects.toThrow(
						'The rotation of the secret was not finished.',
					);
				await rotateSecret(target.config, target.connection);
			}
			const after = await sealedTextsOf(target.connection);
			expect(after.length).toBe(before.length);
			expect(after.filter((text) => before.includes(text))).toEqual([]);
			const secondApp = await createSecondProcess(testApp, target.config);
			expect((await checkIntegrity(secondApp.deps)).problems).toEqual([]);
			expect(await listContent(secondApp.app)).toEqual(await listContent(testApp.app));
			await createHttpClient(secondApp.app).signIn('imported@example.com', publishedLogin.password);
			expect(await findRows(secondApp.deps, 'recovery_codes')).toEqual([]);
			const key = lookupKeyOf(secondApp.deps, { username: 'a', state: 'b' });
			expect(await findRows(secondApp.deps, 'credentials', { lookup_key: key })).toHaveLength(1);
			const references = await findRows(secondApp.deps, 'used_references', { order_id: completed.id });
			const keys = utrLookupKeys(secondApp.deps, utr);
			expect(references.map(({ utr_key }) => utr_key).toSorted()).toEqual(keys.toSorted());
			expect(keys).toHaveLength(3);
			await secondApp.close();
		}
	});

	test('is refused while a server or a backup runs, and with a PREVIOUS_SECRET that is not the former secret', async () => {
		const target = await restoreForRotation();
		const before = await readComparableRows(target.connection);
		const ofTarget = { db: target.connection.db, log: deps.log };
		const [lock, lease] = [acquireServerLock(target.config), await acquireServerLease(ofTarget)];
		await expect(rotateSecret(target.config, target.connection)).rejects.toThrow('Stop the server first');
		lock?.release();
		await lease?.release();
		const backup = await acquireProcessLease(ofTarget, 'backup');
		await expect(rotateSecret(target.config, target.connection)).rejects.toThrow('A backup is under way');
		await backup.release();
		const wrong = { ...target.config, PREVIOUS_SECRET: 'another secret of 16' };
		await expect(rotateSecret(wrong, target.connection)).rejects.toThrow('is not the secret of this database');
		const same = { ...target.config, SECRET: former };
		await expect(rotateSecret(same, target.connection)).rejects.toThrow('has this secret already');
		const without = { ...target.config, PREVIOUS_SECRET: undefined };
		await expect(rotateSecret(without, target.connection)).rejects.toThrow('Set PREVIOUS_SECRET');
		expect(await readComparableRows(target.connection)).toEqual(before);
	});

	test('creates a new secret in the data folder and keeps the former one, also when it is killed between the rows and the files', async () => {
		const target = await restoreForRotation({ SECRET: undefined, PREVIOUS_SECRET: undefined });
		const file = join(target.folder, 'secret');
		await writeFile(file, `${former}\n`);
		const killed = rotateSecret(target.config, failAfterStatements(target.connection, 20));
		await expect(killed).rejects.toThrow('killed');
		const { formerFile } = await rotateSecret(target.config, target.connection);
		const made = await readFile(file, 'utf8');
		expect(made.trim()).toHaveLength(43);
		expect((await stat(file)).mode & 0o777).toBe(0o600);
		expect(await readFile(formerFile ?? '', 'utf8')).toBe(`${former}\n`);
		// The state after a kill when the rows had the new secret, but the files did not.
		await rename(file, `${file}.next`);
		await rename(formerFile ?? '', file);
		await expect(createSecondProcess(testApp, target.config)).rejects.toThrow(ConfigError);
		expect(await rotateSecret(target.config, target.connection)).toMatchObject({ sealed: 0, formerFile });
		expect(await readFile(file, 'utf8')).toBe(made);
		await (await createSecondProcess(testApp, target.config)).close();
	});

	test('does not affect an earlier backup in a folder before a new backup there is finished', async () => {
		const target = await restoreForRotation({ SECRET: undefined, PREVIOUS_SECRET: undefined });
		await writeFile(join(target.folder, 'secret'), `${former}\n`);
		const dir = join(folder, 'rotated');
		const backUpThere = async () => {
			await using own = await createSecondProcess(testApp, target.config);
			return await backUp(own.deps, dir, ignoreOutput);
		};
		const restoredSecret = async () => {
			const restored = await createInstallation('sqlite', { SECRET: undefined });
			await restoreInto(restored, dir);
			return readFile(join(restored.folder, 'secret'), 'utf8');
		};
		await backUpThere();
		await rotateSecret(target.config, target.connection);
		// Makes writing the manifest fail, which is the last step.
		await mkdir(join(dir, 'manifest.json.new'));
		await expect(backUpThere()).rejects.toThrow('EISDIR');
		expect(await restoredSecret()).toBe(`${former}\n`);
		await rmdir(join(dir, 'manifest.json.new'));
		const { secret } = await backUpThere();
		expect(await restoredSecret()).toBe(await readFile(join(target.folder, 'secret'), 'utf8'));
		expect((await readdir(dir)).filter((name) => name.startsWith('secret'))).toEqual([secret.file]);
	});
});

describe('during a backup', () => {
	test('bytes of deleted files are kept until the backup ends, and the integrity check accepts them', async () => {
		const first = await makeText('one.txt', 'one');
		const keys = [await keyOf(first)];
		const lease = await acquireProcessLease(deps, 'backup');
		await purgeFile(first);
		expect(await listStoredKeys(deps)).toEqual(expect.arrayContaining(keys));
		testApp.clock.advance(2 * 3600);
		const otherLease = await acquireProcessLease(deps, 'backup');
		expect((await checkIntegrity(deps)).problems).toEqual([]);
		await collectGarbage(deps);
		expect(await listStoredKeys(deps)).toEqual(expect.arrayContaining(keys));
		await lease.release();
		await otherLease.release();
		await collectGarbage(deps);
		expect(await listStoredKeys(deps)).not.toEqual(expect.arrayContaining(keys));
		expect(await findRows(deps, 'deferred_deletes')).toEqual([]);
	});

	test('bytes of deleted files are kept until the lease of a killed backup has expired', async () => {
		const killed = await acquireProcessLease(deps, 'backup');
		const id = await makeText('two.txt', 'two');
		const key = await keyOf(id);
		await purgeFile(id);
		expect(await deps.storage.findSize(key)).toBe(3);
		// Leases use the time of the database instead of the test clock.
		testApp.clock.advance(24 * 3600);
		await collectGarbage(deps);
		expect(await deps.storage.findSize(key)).toBe(3);
		const lapsed = { expires_at: '2020-01-01T00:00:00.000Z' };
		await deps.db.updateTable('process_leases').set(lapsed).where('id', '=', killed.id).execute();
		await collectGarbage(deps);
		expect(await deps.storage.findSize(key)).toBeNull();
		await killed.release();
	});

	test('purchases, uploads and deletions are possible, and the backup is consistent after its restore', async () => {
		const { client: admin } = await makeSignedInUser(testApp, 'busy@example.com', 'admin');
		let isFinished = false;
		const counts = { bought: 0, uploaded: 0, removed: 0 };
		const buy = async () => {
			while (!isFinished) {
				const answer = await sendCheckoutForm(admin, { email: `buyer${counts.bought}@example.com` });
				if (answer.statusCode === 200) counts.bought += 1;
				else testApp.clock.advance(3600);
			}
		};
		const upload = async () => {
			while (!isFinished) {
				const name = `${counts.uploaded}.txt`;
				const id = await makeText(name, name.repeat(100));
				counts.uploaded += 1;
				if (counts.uploaded % 2 === 0) {
					await purgeFile(id);
					counts.removed += 1;
				}
			}
		};
		const work = [buy(), upload()];
		const dir = join(folder, 'busy');
		for (let round = 0; round < 3; round += 1) {
			const { files } = await backUpInto(dir);
			expect(files.faults).toEqual([]);
		}
		isFinished = true;
		await Promise.all(work);
		expect(Math.min(...Object.values(counts))).toBeGreaterThan(5);
		expect((await checkIntegrity(deps)).problems).toEqual([]);
		const target = await createInstallation();
		expect((await restoreInto(target, dir)).files.problems).toEqual([]);
		const secondApp = await openSecondProcess(testApp, target.config);
		expect((await checkIntegrity(secondApp.deps)).problems).toEqual([]);
		const client = createHttpClient(secondApp.app);
		await client.signIn('busy@example.com', testPassword);
	});
});

const keyOf = (fileId: string) => storageKeyOfFile(deps, fileId);

async function purgeFile(id: string): Promise<void> {
	await deleteNode(deps, owner, id);
	await purgeNode(deps, owner, id);
	while (await runNextJob(deps, jobHandlers));
}
