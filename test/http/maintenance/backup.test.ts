import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runPurgeStep } from '#server/features/files/trash/trash.jobs.ts';
import { backUp } from '#server/features/maintenance/backup/backup.service.ts';
import { PreconditionError } from '#server/features/maintenance/backup/progress.ts';
import { type RestoreResult, restore } from '#server/features/maintenance/restore/restore.service.ts';
import { checkIntegrity, collectGarbage } from '#server/features/maintenance/tasks/tasks.service.ts';
import { ConfigError } from '#server/platform/config.ts';
import { openSnapshot } from '#server/platform/database/bulk-copy/snapshot.ts';
import { isExcludedFromCopies, listTableNames } from '#server/platform/database/bulk-copy/table-catalog.ts';
import { acquireProcessLease } from '#server/platform/locking/process-leases/process-leases.ts';
import { createHttpClient, multipart } from '../../support/app/http-client.ts';
import { storageKeyOfFile } from '../../support/app/stored-objects.ts';
import { createSecondProcess, createTestApp, type TestApp } from '../../support/app/test-app.ts';
import { makeSignedInUser, testPassword } from '../../support/app/users.ts';
import { makePicture } from '../../support/documents/images.ts';
import { makeFile } from '../../support/fixtures/files.ts';
import {
	createEmptyInstallation,
	type EmptyInstallation,
	failAfterStatements,
	hardToEncodeText,
	hashStoredBytes,
	listKeys,
	pickKillMoments,
	readComparableRows,
	seedEveryTable,
	withoutUnfinishedUploads,
} from '../../support/fixtures/installations.ts';
import { testDatabase } from '../../support/services/test-database.ts';

const quiet = () => {};
const otherDatabase = testDatabase === 'postgres' ? 'sqlite' : testDatabase;

let world: TestApp;
let folder: string;
const installations: EmptyInstallation[] = [];

beforeAll(async () => {
	world = await createTestApp();
	await seedEveryTable(world.deps);
	folder = await mkdtemp(join(tmpdir(), 'folio-backup-'));
});
afterAll(async () => {
	for (const place of installations) await place.close();
	await world.close();
	await rm(folder, { recursive: true, force: true });
});

async function createInstallation(
	kind: 'sqlite' | 'postgres' = otherDatabase,
	settings = {},
): Promise<EmptyInstallation> {
	const place = await createEmptyInstallation(world.deps.config, kind, settings);
	installations.push(place);
	return place;
}

function restoreInto(place: EmptyInstallation, path: string, connection = place.connection): Promise<RestoreResult> {
	return restore(place.config, connection, path, { log: world.deps.log, say: quiet });
}

describe('a snapshot of the database', () => {
	test('contains every table except the ones that are excluded on purpose', async () => {
		const names = await listTableNames(world.deps.db);
		const snapshot = await openSnapshot(world.deps.connection);
		await snapshot.close();
		const copied = snapshot.tables.map(({ name }) => name);
		const rest = names.filter((name) => !copied.includes(name)).sort();
		// The search tables of SQLite are virtual tables with shadow tables, and those of PostgreSQL are views.
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

	test('lists parent tables before child tables, and each row once', async () => {
		const snapshot = await openSnapshot(world.deps.connection);
		try {
			const seen = new Set<string>();
			for (const table of snapshot.tables) {
				expect(table.parents.filter((parent) => !seen.has(parent))).toEqual([]);
				seen.add(table.name);
				const at = table.keys.map((key) => table.columns.indexOf(key));
				const keys: string[] = [];
				for await (const rows of snapshot.rows(table))
					for (const row of rows) keys.push(JSON.stringify(at.map((i) => row[i])));
				expect(new Set(keys).size, table.name).toBe(keys.length);
				expect(keys.length, `${table.name} is tried with rows`).toBeGreaterThan(0);
			}
		} finally {
			await snapshot.close();
		}
	});

	test('does not contain rows that are written after it was opened', async () => {
		const snapshot = await openSnapshot(world.deps.connection);
		try {
			const count = async () => {
				const users = snapshot.tables.find(({ name }) => name === 'settings');
				let rows = 0;
				if (users !== undefined) for await (const some of snapshot.rows(users)) rows += some.length;
				return rows;
			};
			const before = await count();
			await world.deps.db
				.insertInto('settings')
				.values({ key: 'later', value: '', version: 1, updated_at: '' })
				.execute();
			expect(await count()).toBe(before);
		} finally {
			await snapshot.close();
			await world.deps.db.deleteFrom('settings').where('key', '=', 'later').execute();
		}
	});
});

describe('a backup', () => {
	let dir: string;
	beforeAll(async () => {
		dir = join(folder, 'whole');
		await backUp(world.deps, dir, quiet);
	});

	test('can be read by its owner only, and its manifest describes it', async () => {
		expect((await stat(dir)).mode & 0o777).toBe(0o700);
		const names = (await readdir(dir)).sort();
		expect(names).toEqual([
			'backup.process-lock',
			'files',
			'manifest.json',
			expect.stringMatching(/^rows-.*\.jsonl\.gz$/u),
		]);
		for (const name of names) expect((await stat(join(dir, name))).mode & 0o077).toBe(0);
		const manifest = JSON.parse(await readFile(join(dir, 'manifest.json'), 'utf8'));
		const blobs = await world.deps.db
			.selectFrom('blobs')
			.select(({ fn }) => fn.countAll<number>().as('count'))
			.executeTakeFirstOrThrow();
		expect(manifest).toMatchObject({
			product: 'Folio',
			at: world.clock.now().toISOString(),
			files: { count: blobs.count, faults: [] },
			secret: { kept: 'elsewhere' },
		});
		expect(manifest.rows.tables.blobs.rows).toBe(blobs.count);
		expect(JSON.stringify(manifest)).not.toContain(world.deps.config.SECRET);
	});

	test('can be restored into an empty installation with equal rows and bytes and working sign-ins', async () => {
		const place = await createInstallation();
		const done = await restoreInto(place, dir);
		expect(done).toMatchObject({ faults: [], migrated: [], discardedUploads: 2, replacedNuls: 0 });
		const before = await readComparableRows(world.deps.connection);
		const after = await readComparableRows(place.connection);
		expect(after).toEqual(withoutUnfinishedUploads(before));
		expect(before.canned_replies?.join()).toContain(JSON.stringify(hardToEncodeText).slice(1, 20));
		const twin = await createSecondProcess(world, place.config);
		try {
			expect(await hashStoredBytes(twin.deps)).toEqual(await hashStoredBytes(world.deps));
			expect((await checkIntegrity(twin.deps)).problems).toEqual([]);
			const client = createHttpClient(twin.app);
			await client.signIn('rohan@folio.example', 'build-your-empire');
			expect((await client.call('GET', '/api/users?search=asha')).json().items).toHaveLength(1);
			expect((await client.call('GET', '/api/orders?search=meera')).json().items).toHaveLength(1);
		} finally {
			await twin.close();
		}
		await expect(restoreInto(place, dir)).rejects.toThrow('The database is in use');
	});

	test('can be restored again after a restore was killed at any statement', async () => {
		const whole = await readComparableRows(world.deps.connection);
		const first = await createInstallation();
		const counting = failAfterStatements(first.connection, Number.POSITIVE_INFINITY);
		await restoreInto(first, dir, counting);
		for (const statements of pickKillMoments(counting.counted())) {
			const place = await createInstallation();
			await expect(
				restoreInto(place, dir, failAfterStatements(place.connection, statements)),
				`${statements}`,
			).rejects.toThrow('killed');
			// No server starts on a half-restored database.
			if (statements > 1) await expect(createSecondProcess(world, place.config)).rejects.toThrow(ConfigError);
			await restoreInto(place, dir);
			expect((await readComparableRows(place.connection)).messages).toEqual(whole.messages);
			expect((await readComparableRows(place.connection)).orders_totals).toEqual(whole.orders_totals);
			const twin = await createSecondProcess(world, place.config);
			expect((await checkIntegrity(twin.deps)).problems).toEqual([]);
			await twin.close();
		}
	});

	test('cannot be restored into an installation while another restore into it is running', async () => {
		const place = await createInstallation(testDatabase);
		const other = await mkdtemp(join(folder, 'other-'));
		// The same database, used from another machine, which does not exist with SQLite.
		const settings = [place.config, ...(testDatabase === 'postgres' ? [{ ...place.config, DATA_DIR: other }] : [])];
		const begun = Promise.withResolvers<void>();
		const tools = { log: world.deps.log, say: () => begun.resolve() };
		const first = restore(place.config, place.connection, dir, tools);
		await begun.promise;
		for (const config of settings)
			await expect(restoreInto({ ...place, config }, dir)).rejects.toThrow(
				/^Another restore into .* is under way: wait for its end/u,
			);
		expect((await first).faults).toEqual([]);
		expect(await readComparableRows(place.connection)).toEqual(
			withoutUnfinishedUploads(await readComparableRows(world.deps.connection)),
		);
	});

	test('is refused with a message when it is incomplete or does not fit the installation', async () => {
		const place = await createInstallation();
		await expect(restoreInto(place, join(folder, 'nowhere'))).rejects.toThrow('There is nothing at');
		await expect(restoreInto(place, folder)).rejects.toThrow('holds no finished backup');
		await expect(
			restore({ ...place.config, SECRET: 'another secret of 16' }, place.connection, dir, {
				log: world.deps.log,
				say: quiet,
			}),
		).rejects.toThrow('SECRET is not the one');
		await expect(
			restore({ ...place.config, SECRET: undefined }, place.connection, dir, { log: world.deps.log, say: quiet }),
		).rejects.toThrow('set SECRET');
		const cut = join(folder, 'cut');
		await backUp(world.deps, cut, quiet);
		const rows = (await readdir(cut)).find((name) => name.startsWith('rows-')) ?? '';
		await truncate(join(cut, rows), (await stat(join(cut, rows))).size - 20);
		await expect(restoreInto(place, cut)).rejects.toThrow('is not whole');
		expect(await listTableNames(place.connection.db)).toEqual([]);
		await expect(backUp(world.deps, world.deps.config.DATA_DIR, quiet)).rejects.toThrow('is not empty');
		await expect(backUp(world.deps, join(world.deps.config.DATA_DIR, 'storage', 'backup'), quiet)).rejects.toThrow(
			'among the stored files',
		);
	});

	test('cannot be written into the storage folder through a symbolic link', async () => {
		const storage = join(world.deps.config.DATA_DIR, 'storage');
		await mkdir(storage, { recursive: true });
		const link = join(folder, 'link');
		await symlink(storage, link);
		await expect(backUp(world.deps, join(link, 'a', 'backup'), quiet)).rejects.toThrow('among the stored files');
		expect(await readdir(storage)).not.toContain('a');
		// The storage folder itself can be a symbolic link, too.
		const data = join(folder, 'data');
		const elsewhere = join(folder, 'elsewhere');
		await mkdir(data);
		await mkdir(elsewhere);
		await symlink(elsewhere, join(data, 'storage'));
		const config = { ...world.deps.config, DATA_DIR: data };
		await expect(backUp({ ...world.deps, config }, join(elsewhere, 'backup'), quiet)).rejects.toThrow(
			'among the stored files',
		);
	});

	/** Copies the backup, changes its rows and corrects their checksums. @returns the folder and the file of rows */
	async function withChangedRows(name: string, change: (lines: string[]) => string[]) {
		const path = join(folder, name);
		await cp(dir, path, { recursive: true });
		const file = join(path, (await readdir(path)).find((each) => each.startsWith('rows-')) ?? '');
		const lines = change(
			gunzipSync(await readFile(file))
				.toString()
				.trimEnd()
				.split('\n'),
		);
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

	test('is refused before anything is written when its rows differ from its manifest', async () => {
		const place = await createInstallation();
		const unchanged = await withChangedRows('unchanged', (lines) => lines);
		// Only the compression differs: the hashes are those of the manifest, and the size is not.
		await writeFile(unchanged.file, gzipSync(gunzipSync(await readFile(unchanged.file)), { level: 1 }));
		await expect(restoreInto(place, unchanged.path)).rejects.toThrow('are not those of its manifest');
		for (const [name, change] of Object.entries({ renamed, withUnknownTable })) {
			const { path, file } = await withChangedRows(name, change);
			const manifest = JSON.parse(await readFile(join(path, 'manifest.json'), 'utf8'));
			manifest.rows.sizeBytes = (await stat(file)).size;
			await writeFile(join(path, 'manifest.json'), JSON.stringify(manifest));
			await expect(restoreInto(place, path), name).rejects.toThrow('are not those of its manifest');
		}
		expect(await listTableNames(place.connection.db)).toEqual([]);
	});

	test('with a damaged file of rows is refused with a message', async () => {
		const place = await createInstallation();
		const kinds: Record<string, [(lines: string[]) => string[], string]> = {
			following: [(lines) => [...lines, '["x"]'], 'is not whole: something follows its end'],
			twice: [(lines) => [...lines, lines.at(-1) ?? ''], 'is not whole: something follows its end'],
			null: [([first = '', ...lines]) => [first, 'null', ...lines], 'is not whole: a line is out of place'],
			columns: [
				([first = '', ...lines]) => [first, '{"table":"users","columns":5}', ...lines],
				'is not whole: a line is out of place',
			],
			wide: [(lines) => lines.map((line) => line.replace(/^(\[.*)\]$/u, '$1,{}]')), 'cannot be one'],
		};
		for (const [name, [change, words]] of Object.entries(kinds)) {
			const { path } = await withChangedRows(name, change);
			await expect(restoreInto(place, path), name).rejects.toThrow(words);
			await expect(restoreInto(place, path), name).rejects.toThrow(PreconditionError);
		}
		const { path, file } = await withChangedRows('cut short', (lines) => lines);
		for (const size of [(await stat(file)).size - 1, 2000, 5, 0]) {
			await truncate(file, size);
			await expect(restoreInto(place, path), `${size}`).rejects.toThrow(PreconditionError);
		}
		await rm(file);
		await expect(restoreInto(place, path)).rejects.toThrow(`${file} is missing: without it there is no backup.`);
		await mkdir(file);
		await expect(restoreInto(place, path)).rejects.toThrow(`${file} cannot be read`);
		expect(await listTableNames(place.connection.db)).toEqual([]);
		// The rows that an upgrade has backed up have no manifest.
		const laidAside = await withChangedRows('laid aside', withUnknownTable);
		await expect(restoreInto(place, laidAside.file)).rejects.toThrow(PreconditionError);
		await expect(restoreInto(place, laidAside.file)).rejects.toThrow('The table evil is not one of the version');
	});

	test('that has lost a file blocks the start of the target, and can be restored when the file is back', async () => {
		const lost = join(folder, 'lost');
		await backUp(world.deps, lost, quiet);
		const [file] = await readdir(join(lost, 'files'), { recursive: true, withFileTypes: true }).then((entries) =>
			entries.filter((entry) => entry.isFile()),
		);
		const path = join(file?.parentPath ?? '', file?.name ?? '');
		const bytes = await readFile(path);
		const place = await createInstallation();
		await writeFile(path, 'something else');
		await expect(restoreInto(place, lost)).rejects.toThrow('has lost files');
		await expect(restoreInto(place, lost)).rejects.toThrow(PreconditionError);
		await expect(createSecondProcess(world, place.config)).rejects.toThrow(ConfigError);
		await writeFile(path, bytes);
		await restoreInto(place, lost);
		expect((await readComparableRows(place.connection)).nodes).toEqual(
			(await readComparableRows(world.deps.connection)).nodes,
		);
	});

	test('into the folder of an earlier one replaces its rows and removes deleted files', async () => {
		const again = join(folder, 'again');
		const gone = await makeFile(world.deps, { ownerId: 'guest', name: 'gone.txt', bytes: Buffer.from('gone') });
		await backUp(world.deps, again, quiet);
		const filesOf = async () =>
			(await readdir(join(again, 'files'), { recursive: true, withFileTypes: true }))
				.filter((entry) => entry.isFile())
				.map(({ name }) => name);
		const before = await filesOf();
		const kept = await stat(
			join(
				again,
				'files',
				...(
					await keyOf(await makeFile(world.deps, { ownerId: 'guest', name: 'new.txt', bytes: Buffer.from('new') }))
				).split('/'),
			),
		).catch(() => null);
		expect(kept).toBeNull();
		await purgeFile(gone);
		const second = await backUp(world.deps, again, quiet);
		expect(second.files.count).toBe(before.length);
		expect((await filesOf()).sort()).not.toEqual(before.sort());
		expect((await readdir(again)).filter((name) => name.startsWith('rows-'))).toEqual([second.rows.file]);
		const place = await createInstallation();
		expect((await restoreInto(place, again)).faults).toEqual([]);
	});

	test('reports stored bytes that were missing already, is made nevertheless, and can be restored', async () => {
		const id = await makeFile(world.deps, { ownerId: 'guest', name: 'hollow.txt', bytes: Buffer.from('hollow') });
		const key = await keyOf(id);
		await world.deps.storage.remove(key);
		const dir = join(folder, 'hollow');
		expect((await backUp(world.deps, dir, quiet)).files.faults).toEqual([{ key, what: 'missing' }]);
		const place = await createInstallation();
		expect((await restoreInto(place, dir)).faults).toEqual([{ key, what: 'missing' }]);
		await world.deps.storage.put(key, Buffer.from('hollow'));
	});
});

describe('two backups into one folder', () => {
	/** Starts a backup that pauses before it copies its first file. */
	async function pausedBackup(dir: string) {
		const reached = Promise.withResolvers<void>();
		const goOn = Promise.withResolvers<void>();
		const storage = {
			...world.deps.storage,
			read: async (...args: Parameters<typeof world.deps.storage.read>) => {
				reached.resolve();
				await goOn.promise;
				return world.deps.storage.read(...args);
			},
		};
		const done = backUp({ ...world.deps, storage }, dir, quiet);
		// The test awaits the result later.
		done.catch(() => {});
		await reached.promise;
		return { done, goOn: () => goOn.resolve() };
	}

	test('are refused at the same time, and possible one after the other', async () => {
		const dir = join(folder, 'twice');
		const first = await pausedBackup(dir);
		await expect(backUp(world.deps, dir, quiet)).rejects.toThrow(
			`Another backup into ${dir} is under way: wait for its end`,
		);
		first.goOn();
		const { rows } = await first.done;
		expect((await readdir(dir)).sort()).toEqual(['backup.process-lock', 'files', 'manifest.json', rows.file]);
		await backUp(world.deps, dir, quiet);
	});

	test('keep the earlier one when the rows of the second are removed meanwhile', async () => {
		const dir = join(folder, 'swept');
		const { rows } = await backUp(world.deps, dir, quiet);
		await rm(join(dir, 'files'), { recursive: true });
		const second = await pausedBackup(dir);
		const added = (await readdir(dir)).find((name) => name.startsWith('rows-') && name !== rows.file) ?? '';
		await rm(join(dir, added));
		second.goOn();
		await expect(second.done).rejects.toThrow(`${added} was removed from ${dir} meanwhile`);
		const place = await createInstallation();
		expect((await restoreInto(place, dir)).faults).toEqual([]);
	});
});

describe('with the secret in the data folder', () => {
	test('a backup contains the secret, and the restore writes it into the data folder', async () => {
		await writeFile(join(world.deps.config.DATA_DIR, 'secret'), `${world.deps.config.SECRET}\n`);
		const own = await createSecondProcess(world, { SECRET: undefined });
		const dir = join(folder, 'secret');
		try {
			const { secret } = await backUp(own.deps, dir, quiet);
			expect(secret.kept).toBe('here');
			expect((await stat(join(dir, 'secret'))).mode & 0o777).toBe(0o600);
		} finally {
			await own.close();
		}
		const place = await createInstallation(otherDatabase, { SECRET: undefined });
		await writeFile(join(place.folder, 'secret'), 'made by an early start, and of no use\n');
		await restoreInto(place, dir);
		expect(await readFile(join(place.folder, 'secret'), 'utf8')).toBe(
			await readFile(join(world.deps.config.DATA_DIR, 'secret'), 'utf8'),
		);
		expect(await readFile(join(place.folder, 'secret.before-restore'), 'utf8')).toContain('of no use');
	});
});

describe('while a backup is under way', () => {
	test('the bytes of deleted files stay until it is over, and the integrity check accepts them', async () => {
		const first = await makeFile(world.deps, { ownerId: 'guest', name: 'one.txt', bytes: Buffer.from('one') });
		const keys = [await keyOf(first)];
		const hold = await acquireProcessLease(world.deps, 'backup');
		await purgeFile(first);
		expect(await listKeys(world.deps.storage)).toEqual(expect.arrayContaining(keys));
		world.clock.advance(2 * 3600);
		const other = await acquireProcessLease(world.deps, 'backup');
		expect((await checkIntegrity(world.deps)).problems).toEqual([]);
		await collectGarbage(world.deps);
		expect(await listKeys(world.deps.storage)).toEqual(expect.arrayContaining(keys));
		await hold.release();
		await other.release();
		await collectGarbage(world.deps);
		expect(await listKeys(world.deps.storage)).not.toEqual(expect.arrayContaining(keys));
		expect(await world.deps.db.selectFrom('deferred_deletes').selectAll().execute()).toEqual([]);
	});

	test('the lease of a killed backup expires, and deleted bytes are removed then', async () => {
		const killed = await acquireProcessLease(world.deps, 'backup');
		const id = await makeFile(world.deps, { ownerId: 'guest', name: 'two.txt', bytes: Buffer.from('two') });
		const key = await keyOf(id);
		await purgeFile(id);
		expect(await world.deps.storage.findSize(key)).toBe(3);
		// Leases expire by the database's time, which the test clock does not change.
		world.clock.advance(24 * 3600);
		await collectGarbage(world.deps);
		expect(await world.deps.storage.findSize(key)).toBe(3);
		const lapsed = { expires_at: '2020-01-01T00:00:00.000Z' };
		await world.deps.db.updateTable('process_leases').set(lapsed).where('id', '=', killed.id).execute();
		await collectGarbage(world.deps);
		expect(await world.deps.storage.findSize(key)).toBeNull();
		await killed.release();
	});

	test('purchases, uploads and deletions continue, and the restored backup is consistent', async () => {
		const { client: admin } = await makeSignedInUser(world, 'busy@example.com', 'admin');
		const picture = await makePicture();
		let isOver = false;
		const counts = { bought: 0, uploaded: 0, removed: 0 };
		const buy = async () => {
			while (!isOver) {
				const email = `buyer${counts.bought}@example.com`;
				const form = multipart(
					{ name: 'Busy', phone: '1', email, upiId: 'x' },
					{ field: 'screenshot', name: 'a.png', type: 'image/png', bytes: picture },
				);
				const answer = await admin.call('POST', '/purchase', form.body, {
					...form.headers,
					accept: 'application/json',
				});
				if (answer.statusCode === 200) counts.bought += 1;
				else world.clock.advance(3600);
			}
		};
		const upload = async () => {
			while (!isOver) {
				const name = `${counts.uploaded}.txt`;
				const id = await makeFile(world.deps, { ownerId: 'guest', name, bytes: Buffer.from(name.repeat(100)) });
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
			const { files } = await backUp(world.deps, dir, quiet);
			expect(files.faults).toEqual([]);
		}
		isOver = true;
		await Promise.all(work);
		expect(Math.min(...Object.values(counts))).toBeGreaterThan(5);
		expect((await checkIntegrity(world.deps)).problems).toEqual([]);
		const place = await createInstallation();
		expect((await restoreInto(place, dir)).faults).toEqual([]);
		const twin = await createSecondProcess(world, place.config);
		try {
			expect((await checkIntegrity(twin.deps)).problems).toEqual([]);
			const client = createHttpClient(twin.app);
			await client.signIn('busy@example.com', testPassword);
		} finally {
			await twin.close();
		}
	});
});

const keyOf = (fileId: string) => storageKeyOfFile(world.deps, fileId);

/** Purges a file as the trash does, which deletes the rows first and then the bytes. */
async function purgeFile(id: string): Promise<void> {
	const now = world.clock.now().toISOString();
	const node = await world.deps.db
		.selectFrom('nodes')
		.select(['owner_id', 'path', 'size_bytes'])
		.where('id', '=', id)
		.executeTakeFirstOrThrow();
	await world.deps.db.updateTable('nodes').set({ deleted_at: now, state: 'leaving' }).where('id', '=', id).execute();
	await world.deps.db
		.updateTable('folder_totals')
		.set((eb) => ({ files: eb('files', '-', 1), size_bytes: eb('size_bytes', '-', node.size_bytes) }))
		.where('owner_id', '=', node.owner_id)
		.where('path', '=', node.path)
		.execute();
	let work: unknown = { ownerId: node.owner_id, ids: [id], keys: [] };
	for (let steps = 0; steps < 3; steps += 1)
		await runPurgeStep(world.deps, work, {
			savePayload: async (_tx, next) => {
				work = next;
			},
			reschedule: () => {},
		});
}
