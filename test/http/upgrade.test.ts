import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
	migrate,
	migrateTo,
	migrations,
	newestMigration,
	readSchemaState,
	type SchemaStep,
} from '#server/db/migrate.ts';
import { backUp } from '#server/features/backup/backup.service.ts';
import { keepRowsBefore } from '#server/features/backup/before-migration.service.ts';
import { restore } from '#server/features/backup/restore.service.ts';
import { checkEverything } from '#server/features/upkeep/upkeep.service.ts';
import { systemClock } from '#server/platform/clock.ts';
import { parseConfig } from '#server/platform/config.ts';
import { createLog } from '#server/platform/log.ts';
import { requireSameSecret } from '#server/platform/same-secret.ts';
import { createSecrets } from '#server/platform/secrets.ts';
import { createDeps } from '#server/start.ts';
import { createTestApp } from '../support/app.ts';
import { type EmptyPlace, openEmptyPlace } from '../support/backups.ts';
import { makeFile } from '../support/files.ts';
import { makePerson } from '../support/people.ts';
import { testDatabase } from '../support/postgres.ts';

const log = createLog('silent');
const secret = 'a secret that only tests know';
const names = Object.keys(migrations).sort();
/** The schema of the release before backups came. */
const earlier = names.slice(0, names.indexOf('0015-backups'));

let place: EmptyPlace;
const folders: string[] = [];

beforeEach(async () => {
	const dataDir = await mkdtemp(join(tmpdir(), 'folio-upgrade-'));
	folders.push(dataDir);
	place = await openEmptyPlace(parseConfig({ DATA_DIR: dataDir, SECRET: secret }), testDatabase);
});
afterEach(() => place.close());
afterAll(async () => {
	for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

/** What starts need of it. */
const start = (config = place.config) => createDeps(config, { log });

async function stop(deps: Awaited<ReturnType<typeof start>>): Promise<void> {
	await deps.bus.close();
	await deps.storage.close();
	await deps.connection.close();
}

async function fillEarlier(rows: number): Promise<void> {
	await migrateTo(place.connection.db, earlier);
	for (let i = 0; i < rows; i += 1)
		await place.connection.db
			.insertInto('settings')
			.values({ key: `kept-${i}`, value: `मूल्य ${i}`, version: 1, updated_at: '2026-01-01T00:00:00.000Z' })
			.execute();
}

const copies = async () => (await readdir(join(place.folder, 'backups')).catch(() => [])).sort();

describe('before an upgrade changes the database', () => {
	test('all rows are laid aside, by one of many processes that start at once', async () => {
		await fillEarlier(3);
		// An embedded database has one server.
		const started = await Promise.all(testDatabase === 'postgres' ? [start(), start(), start()] : [start()]);
		for (const deps of started) await stop(deps);
		expect(await copies()).toEqual([expect.stringMatching(/^\d{4}-.*-before-0015-backups\.jsonl\.gz$/u)]);
		const deps = await start();
		expect(await copies()).toHaveLength(1);
		// Where files are in a store, the copy is there too: a process of many may lose its own folder.
		const [name = ''] = await copies();
		const inStore = await deps.storage.findSize(`backups/${name}`);
		expect(inStore).toBe(place.config.s3 === null ? null : (await stat(join(place.folder, 'backups', name))).size);
		await stop(deps);
	});

	test('nothing is laid aside or changed by a process with another secret', async () => {
		await fillEarlier(1);
		const rows = await place.connection.db.selectFrom('settings').select('key').execute();
		expect(rows).toHaveLength(1);
		await requireSameSecret(place.connection.db, createSecrets(secret), systemClock);
		await expect(start({ ...place.config, SECRET: 'another secret of 16' })).rejects.toThrow('SECRET');
		expect(await copies()).toEqual([]);
		expect((await readSchemaState(place.connection.db)).executed).toEqual(earlier);
	});

	test('a new installation has nothing to lay aside', async () => {
		await stop(await start());
		expect(await copies()).toEqual([]);
	});

	test('the last ten are kept', async () => {
		await fillEarlier(1);
		await stop(await start());
		const [name = ''] = await copies();
		const bytes = await readFile(join(place.folder, 'backups', name));
		for (let year = 2001; year <= 2012; year += 1)
			await writeFile(join(place.folder, 'backups', name.replace(/^\d{4}/u, String(year))), bytes);
		await writeFile(join(place.folder, 'backups', "somebody's own.txt"), '');
		const deps = await start();
		await keepRowsBefore(deps, { executed: names, pending: ['9999-next'], unknown: [], canGoOn: false });
		await stop(deps);
		const left = await copies();
		expect(left.filter((each) => each.endsWith('.gz'))).toHaveLength(10);
		expect(left.at(-1)).toBe("somebody's own.txt");
		expect(left.some((each) => each.includes('-before-9999-next'))).toBe(true);
		expect(left.some((each) => each.startsWith('2003'))).toBe(false);
	});

	test('and come back into an empty database, beside the stored files that stayed', async () => {
		const world = await createTestApp();
		try {
			await makePerson(world.deps, 'kept@example.com');
			const kept = await makeFile(world.deps, { ownerId: 'guest', name: 'kept.txt', bytes: Buffer.from('kept') });
			const lost = await makeFile(world.deps, { ownerId: 'guest', name: 'lost.txt', bytes: Buffer.from('lost') });
			await keepRowsBefore(world.deps, { executed: names, pending: ['9999-next'], unknown: [], canGoOn: false });
			const { storage_key } = await world.deps.db
				.selectFrom('blobs')
				.innerJoin('nodes', 'nodes.blob_id', 'blobs.id')
				.select('storage_key')
				.where('nodes.id', '=', lost)
				.executeTakeFirstOrThrow();
			await world.deps.storage.remove(storage_key);
			const folder = join(world.deps.config.DATA_DIR, 'backups');
			const [name = ''] = await readdir(folder);
			const config = { ...place.config, s3: world.deps.config.s3, SECRET: world.deps.config.SECRET };
			// The same files: a disk's are in the data folder.
			const target = { ...config, DATA_DIR: world.deps.config.DATA_DIR };
			const done = await restore(target, place.connection, join(folder, name), { log, say: () => {} });
			expect(done.faults).toEqual([{ key: storage_key, what: 'missing' }]);
			expect(done.files.files).toBe(1);
			const nodes = await place.connection.db.selectFrom('nodes').select('id').orderBy('name').execute();
			expect(nodes.map(({ id }) => id)).toEqual([kept, lost]);
		} finally {
			await world.close();
		}
	});

	test('an older backup is brought up to this version', async () => {
		await fillEarlier(2);
		await stop(await start());
		const [name = ''] = await copies();
		const other = await openEmptyPlace(place.config, testDatabase);
		try {
			const done = await restore(other.config, other.connection, join(place.folder, 'backups', name), {
				log,
				say: () => {},
			});
			expect(done.migrated).toContain('0015-backups');
			const rows = await other.connection.db
				.selectFrom('settings')
				.select('value')
				.where('key', 'like', 'kept-%')
				.orderBy('key')
				.execute();
			expect(rows.map(({ value }) => value)).toEqual(['मूल्य 0', 'मूल्य 1']);
			const deps = await start(other.config);
			expect((await checkEverything(deps)).problems).toEqual([]);
			await stop(deps);
		} finally {
			await other.close();
		}
	});
});

describe('beside a newer version', () => {
	const future = (step: SchemaStep) => ({ ...migrations, '9999-from-the-future': step });
	const up: SchemaStep['up'] = async (db) => {
		await db.schema
			.createTable('later')
			.addColumn('id', 'text', (c) => c.primaryKey())
			.execute();
	};

	test('this one goes on where the newer says that it can', async () => {
		await stop(await start());
		expect(await migrate(place.connection.db, { known: future({ up, letsPreviousGoOn: true }) })).toEqual([
			'9999-from-the-future',
		]);
		const deps = await start();
		await makePerson(deps, 'somebody@example.com');
		expect((await checkEverything(deps)).problems).toEqual([]);
		await stop(deps);
		expect(await readSchemaState(place.connection.db)).toMatchObject({
			unknown: ['9999-from-the-future'],
			pending: [],
			canGoOn: true,
		});
		expect(await copies()).toEqual([]);
	});

	test.for<[string, SchemaStep]>([
		['says that it cannot', { up, letsPreviousGoOn: false }],
		['says nothing', { up }],
	])('it is refused in words where the newer %s', async ([, step]) => {
		await stop(await start());
		await migrate(place.connection.db, { known: future(step) });
		await expect(start()).rejects.toThrow('This database belongs to a newer version of Folio.');
		expect((await readSchemaState(place.connection.db)).canGoOn).toBe(false);
	});

	test('nor may it bring migrations of its own there', async () => {
		await migrateTo(place.connection.db, earlier);
		const known = {
			...Object.fromEntries(earlier.map((name) => [name, migrations[name] ?? { up }])),
			'9999-from-the-future': { up, letsPreviousGoOn: true },
		};
		await migrate(place.connection.db, { known });
		await expect(start()).rejects.toThrow('newer version');
	});

	test('its backups are refused in words', async () => {
		const deps = await start();
		await migrate(place.connection.db, { known: future({ up, letsPreviousGoOn: true }) });
		const folder = join(place.folder, 'backup');
		await backUp(deps, folder, () => {});
		await stop(deps);
		const other = await openEmptyPlace(place.config, testDatabase);
		try {
			await expect(restore(other.config, other.connection, folder, { log, say: () => {} })).rejects.toThrow(
				'made by a newer version of Folio',
			);
		} finally {
			await other.close();
		}
	});
});

test('every migration from 0015 on says whether the release before can go on', () => {
	const silent = names.filter((name) => name >= '0015' && migrations[name]?.letsPreviousGoOn === undefined);
	expect(silent).toEqual([]);
	expect(newestMigration).toBe(names.at(-1));
});
