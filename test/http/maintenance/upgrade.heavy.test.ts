import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Kysely } from 'kysely';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { countUsers } from '#server/features/accounts/administration/administration.queries.ts';
import { backUp } from '#server/features/maintenance/backup/backup.service.ts';
import { backUpRowsBeforeMigration } from '#server/features/maintenance/backup/pre-migration-backup.ts';
import { readRowsFile } from '#server/features/maintenance/backup/rows-file.ts';
import { checkIntegrity, collectGarbage } from '#server/features/maintenance/tasks/tasks.service.ts';
import { getDraft, saveField } from '#server/features/storefront/content/content.service.ts';
import { defaultContent } from '#server/features/storefront/content/content-values.ts';
import { listVersions, publishDraft, restoreVersion } from '#server/features/storefront/content/publishing.ts';
import { createSecrets } from '#server/platform/auth/secrets.ts';
import { systemClock } from '#server/platform/clock.ts';
import { parseConfig } from '#server/platform/config.ts';
import {
	migrate,
	migrateTo,
	migrations,
	newestMigration,
	readSchemaState,
	type SchemaStep,
} from '#server/platform/database/migrations/migrate.ts';
import { storeSecretFingerprint } from '#server/platform/installation.ts';
import { createLog } from '#server/platform/log.ts';
import { insertBlob } from '#server/platform/storage/blobs.queries.ts';
import { hashBytes } from '#server/platform/storage/hashing/hashing.ts';
import { closeDeps, createDeps } from '#server/start.ts';
import { findRows, insertRows } from '../../support/app/database-rows.ts';
import { storageKeyOfFile } from '../../support/app/stored-objects.ts';
import { createTestApp } from '../../support/app/test-app.ts';
import { adminCaller, makeUser } from '../../support/app/users.ts';
import { makeTextFile } from '../../support/fixtures/files.ts';
import {
	type EmptyInstallation,
	hardToEncodeText,
	openEmptyInstallation,
	readComparableRows,
	restoreInto,
} from '../../support/fixtures/installations.ts';
import { testDatabase } from '../../support/services/test-database.ts';

const log = createLog('silent');
const secret = 'a secret that only tests know';
const names = Object.keys(migrations).sort();
/** The migrations of the last release that could not make backups. */
const migrationsBeforeBackups = names.slice(0, names.indexOf('0015-backups'));

let installation: EmptyInstallation;

beforeEach(async () => {
	installation = await openEmptyInstallation(parseConfig({ SECRET: secret }), testDatabase);
});

/** The next version finds this schema state in a database of the current version. */
const nextUpgrade = { executed: names, pending: ['9999-next'], unknown: [], isCompatible: false };

/** Opens the installation and runs the migrations, as a server does at its start. */
const start = (config = installation.config) => createDeps(config, { log });

async function createOldDatabase(rows: number): Promise<void> {
	await migrateTo(installation.connection.db, migrationsBeforeBackups);
	const row = { version: 1, updated_at: '2026-01-01T00:00:00.000Z' };
	const kept = Array.from({ length: rows }, (_, i) => ({ ...row, key: `kept-${i}`, value: `मूल्य ${i}` }));
	await insertRows(installation.connection, 'settings', kept);
}

/** Reads a rows file. @returns the rows of each table, as pairs of column name and value */
async function readRows(file: string): Promise<Record<string, Array<Array<[string, unknown]>>>> {
	const tables: Record<string, Array<Array<[string, unknown]>>> = {};
	for await (const part of readRowsFile(file)) {
		if (part.kind === 'table') tables[part.table] = [];
		if (part.kind !== 'rows') continue;
		const { columns, rows } = part;
		tables[part.table]?.push(
			...rows.map((row) => row.map((value, at): [string, unknown] => [columns[at] ?? '', value])),
		);
	}
	return tables;
}

const listBackups = async () => (await readdir(join(installation.folder, 'backups')).catch(() => [])).sort();

describe('before a server upgrades the database', () => {
	test('all rows are backed up once, also when several processes start at the same time', async () => {
		await createOldDatabase(3);
		// Only PostgreSQL allows several processes.
		const started = await Promise.all(testDatabase === 'postgres' ? [start(), start(), start()] : [start()]);
		for (const deps of started) await closeDeps(deps);
		expect(await listBackups()).toEqual([expect.stringMatching(/^\d{4}-.*-before-0015-backups\.jsonl\.gz$/u)]);
		const deps = await start();
		expect(await listBackups()).toHaveLength(1);
		// The local folder may be lost, so that the backup is also stored in the object store.
		const [name = ''] = await listBackups();
		const { size } = await stat(join(installation.folder, 'backups', name));
		const inStore = await deps.storage.findSize(`backups/${name}`);
		expect(inStore).toBe(installation.config.s3 === null ? null : size);
		await closeDeps(deps);
	});

	test('a process with a different secret makes no backup and does not change the database', async () => {
		await createOldDatabase(1);
		expect(await findRows(installation.connection, 'settings')).toHaveLength(1);
		await storeSecretFingerprint(installation.connection.db, createSecrets(secret), systemClock);
		await expect(start({ ...installation.config, SECRET: 'another secret of 16' })).rejects.toThrow('SECRET');
		expect(await listBackups()).toEqual([]);
		expect((await readSchemaState(installation.connection.db)).executed).toEqual(migrationsBeforeBackups);
	});

	test('a new installation makes no backup', async () => {
		await closeDeps(await start());
		expect(await listBackups()).toEqual([]);
	});

	test('only the last ten backups are kept, and files of other programs are not deleted', async () => {
		await createOldDatabase(1);
		await closeDeps(await start());
		const [name = ''] = await listBackups();
		const bytes = await readFile(join(installation.folder, 'backups', name));
		for (let year = 2001; year <= 2012; year += 1)
			await writeFile(join(installation.folder, 'backups', name.replace(/^\d{4}/u, String(year))), bytes);
		await writeFile(join(installation.folder, 'backups', "somebody's own.txt"), '');
		const deps = await start();
		await backUpRowsBeforeMigration(deps, nextUpgrade);
		await closeDeps(deps);
		const remaining = await listBackups();
		expect(remaining.filter((name) => name.endsWith('.gz'))).toHaveLength(10);
		expect(remaining.at(-1)).toBe("somebody's own.txt");
		expect(remaining.some((name) => name.includes('-before-9999-next'))).toBe(true);
		expect(remaining.some((name) => name.startsWith('2003'))).toBe(false);
	});

	test('the backup of the rows can be restored into an empty database with the same stored files', async () => {
		const testApp = await createTestApp();
		onTestFinished(() => testApp.close());
		await makeUser(testApp.deps, 'kept@example.com');
		const kept = await makeTextFile(testApp.deps, 'guest', 'kept.txt');
		const lost = await makeTextFile(testApp.deps, 'guest', 'lost.txt');
		await backUpRowsBeforeMigration(testApp.deps, nextUpgrade);
		const key = await storageKeyOfFile(testApp.deps, lost);
		await testApp.deps.storage.remove([key]);
		const folder = join(testApp.deps.config.DATA_DIR, 'backups');
		const [name = ''] = await readdir(folder);
		const config = { ...installation.config, s3: testApp.deps.config.s3, SECRET: testApp.deps.config.SECRET };
		// The target needs the same data folder, because stored files may be on disk.
		const target = { ...config, DATA_DIR: testApp.deps.config.DATA_DIR };
		const done = await restoreInto({ ...installation, config: target }, join(folder, name));
		expect(done.files.problems).toEqual([{ key, what: 'missing' }]);
		expect(done.files.files).toBe(1);
		const nodes = await installation.connection.db.selectFrom('nodes').select('id').orderBy('name').execute();
		expect(nodes.map(({ id }) => id)).toEqual([kept, lost]);
	});
});

describe('migration 0021, which renames tables and columns', () => {
	const sample = join(import.meta.dirname, '../../samples/upgrade/rows-before-0021.jsonl.gz');
	const executed = names.slice(0, names.indexOf('0021-plain-names'));
	const renamed: Record<string, string> = {
		book_grants: 'book_access',
		grants: 'shares',
		marked_copies: 'watermarked_copies',
		reading_marks: 'annotations',
		reading_places: 'reading_positions',
		'audit.gone_email_key': 'deleted_email_key',
		'canned_replies.place': 'position',
		'grants.granted_by': 'shared_by',
		'marked_copies.tries': 'attempts',
		'marked_copies.wanted_mark': 'wanted_watermark',
		'sessions.view_ends_at': 'impersonation_ends_at',
		'sessions.viewed_user_id': 'impersonated_user_id',
	};
	/** Tables and columns that later migrations removed. */
	const removed = ['proof_looks', 'proof_turns', 'proofs.same_utr_as', 'proofs.same_picture_as'];
	/** Columns that later migrations added, with their defaults. */
	const added: Record<string, Record<string, unknown>> = {
		grants: { recipient_kind: 'user' },
		marked_copies: { base_blob_id: null, inserts: null },
		orders: { is_test: 0 },
	};
	/** Returns a row as text with sorted columns. */
	const textOf = (row: Record<string, unknown>) => JSON.stringify(Object.entries(row).sort());
	type OldTables = Kysely<{
		holds: Record<'id' | 'kind' | 'detail' | 'until' | 'created_at', string>;
		put_off_removals: Record<'storage_key' | 'created_at', string>;
	}>;
	const insertHold = (kind: string, until: string) =>
		(installation.connection.db as unknown as OldTables)
			.insertInto('holds')
			.values({
				id: kind,
				kind,
				detail: JSON.stringify({ version: '0.0.9', host: 'old-host', pid: 7 }),
				until,
				created_at: '2026-01-01T00:00:00.000Z',
			})
			.execute();

	test('keeps every row of the previous version, and its triggers still count the users', async () => {
		const done = await restoreInto(installation, sample);
		expect(done.migrated).toEqual(names.filter((name) => !executed.includes(name)));
		const written = await readRows(sample);
		expect(Object.keys(written).length).toBeGreaterThan(40);
		const rows = await readComparableRows(installation.connection);
		for (const [table, old] of Object.entries(written)) {
			expect(old.length, table).toBeGreaterThan(0);
			// A restore deletes unfinished uploads.
			if (table === 'uploads' || table === 'upload_parts' || removed.includes(table)) continue;
			const expected = old.map((row) =>
				Object.fromEntries([
					...row
						.filter(([column]) => !removed.includes(`${table}.${column}`))
						.map(([column, value]) => [renamed[`${table}.${column}`] ?? column, value]),
					...Object.entries(added[table] ?? {}),
				]),
			);
			const found = rows[renamed[table] ?? table]?.map((row) => Object.fromEntries(JSON.parse(row)));
			const comparable = (list: Array<Record<string, unknown>> = []) =>
				list
					.filter(({ key }) => key !== 'migrations-that-let-the-previous-go-on' && key !== 'installation')
					.map(textOf)
					.sort();
			expect(comparable(found), table).toEqual(comparable(expected));
		}

		const deps = await start();
		const counted = async () => [
			await countUsers(deps.db),
			await countUsers(deps.db, { status: 'deactivated' }),
			(await findRows(deps, 'users')).length,
		];
		const [all = 0, deactivated = 0, found] = await counted();
		expect(found).toBe(all);
		const id = await makeUser(deps, 'later@example.com');
		await deps.db.updateTable('users').set({ active: 0 }).where('id', '=', id).execute();
		expect(await counted()).toEqual([all + 1, deactivated + 1, all + 1]);
		await deps.db.deleteFrom('users').where('id', '=', id).execute();
		expect(await counted()).toEqual([all, deactivated, all]);
		await closeDeps(deps);
	});

	test('the backup before the migration has no process leases and no deferred deletes, and can be restored', async () => {
		await migrateTo(installation.connection.db, executed);
		await insertHold('backup', '2020-01-01T00:00:00.000Z');
		await (installation.connection.db as unknown as OldTables)
			.insertInto('put_off_removals')
			.values({ storage_key: 'files/guest/removed', created_at: '2026-01-01T00:00:00.000Z' })
			.execute();
		const deps = await start();
		expect(await findRows(deps, 'deferred_deletes')).toMatchObject([{ storage_key: 'files/guest/removed' }]);
		await closeDeps(deps);
		const [name = ''] = await listBackups();
		expect(name).toContain('-before-0021-plain-names');
		const file = join(installation.folder, 'backups', name);
		expect(Object.keys(await readRows(file)).filter((table) => /^(holds|put_off_removals)$/u.test(table))).toEqual([]);
		const other = await openEmptyInstallation(installation.config, testDatabase);
		// This database was created by the previous version and has no data.
		await migrateTo(other.connection.db, executed);
		await restoreInto(other, file);
		expect(await findRows(other.connection, 'deferred_deletes')).toEqual([]);
	});

	// With SQLite, the process lock already prevents two servers on one database.
	test('refuses to start on PostgreSQL while servers of the previous version run, and lists these servers', async () => {
		await migrateTo(installation.connection.db, executed);
		await insertHold('server', '2999-01-01T00:00:00.000Z');
		if (testDatabase === 'postgres') {
			await expect(start()).rejects.toThrow('version 0.0.9, process 7 on old-host, since 2026-01-01T00:00:00.000Z');
			expect(await listBackups()).toEqual([]);
			expect((await readSchemaState(installation.connection.db)).executed).toEqual(executed);
			await (installation.connection.db as unknown as OldTables).deleteFrom('holds').execute();
		}
		await closeDeps(await start());
		expect((await readSchemaState(installation.connection.db)).executed).toEqual(names);
	});
});

describe('migration 0023, which makes the content of the storefront data', () => {
	const executed = names.slice(0, names.indexOf('0023-storefront-content'));
	const savedAt = '2026-03-04T05:06:07.000Z';
	const texts = (en: string, hi = '') => ({ en, hi });
	const links = [{ label: 'YouTube', url: 'https://video.example/@founder' }];
	const terms = texts(`Be kind.\n\n${hardToEncodeText}`, 'दयालु बनें।');
	/** Contains a character that the settings accepted and the field does not. */
	const oldLinks = [{ label: '\u202eYouTube', url: 'https://video.example/@founder' }];
	const title = texts('Five habits');
	const storefront = {
		socialLinks: links,
		chatUrl: 'https://chat.example/me',
		legal: { privacy: texts(''), terms, refund: texts('', 'कोई वापसी नहीं।') },
	};

	/** Inserts the row of a stored file, whose bytes are its name. */
	async function insertFile(name: string) {
		const [id, bytes] = [`blob-${name}`, Buffer.from(name)];
		const { sha256, sizeBytes } = await hashBytes(Readable.from([bytes]));
		const contentType = name.endsWith('mp4') ? 'video/mp4' : 'text/vtt; charset=utf-8';
		const { db } = installation.connection;
		await insertBlob(db, { id, storageKey: `films/${name}`, sizeBytes, sha256, contentType }, savedAt);
		return { blobId: id, name, sizeBytes };
	}

	test('keeps links, legal texts and videos as the first published version', async () => {
		await migrateTo(installation.connection.db, executed);
		const film = { ...(await insertFile('own.mp4')), seconds: 6 };
		const captions = { en: await insertFile('own.vtt'), hi: null };
		const none = { film: null, captions: { en: null, hi: null }, title: texts('') };
		const row = { version: 3, updated_at: savedAt };
		await insertRows(installation.connection, 'settings', [
			{
				...row,
				key: 'storefront',
				value: JSON.stringify({ ...storefront, socialLinks: oldLinks }),
				updated_at: '2026-01-01T00:00:00.000Z',
			},
			{ ...row, key: 'films', value: JSON.stringify({ benefits: { film, captions, title }, 'how-to-get': none }) },
		]);

		const deps = await start();
		for (const name of ['own.mp4', 'own.vtt']) await deps.storage.put(`films/${name}`, Buffer.from(name));
		const defaults = defaultContent('build-your-empire');
		const video = { source: 'own', film, captions, title };
		const { fields } = await getDraft(deps);
		expect(Object.fromEntries(fields.map(({ field, published }) => [field, published]))).toEqual({
			...defaults,
			'links.social': links,
			'links.chat': 'https://chat.example/me',
			'legal.terms': terms,
			'legal.refund': texts('', 'कोई वापसी नहीं।'),
			'videos.benefits': video,
		});
		for (const { value, published } of fields) expect(value).toEqual(published);
		const changes = ['links.social', 'links.chat', 'legal.terms', 'legal.refund', 'videos.benefits'];
		expect(await listVersions(deps)).toEqual([
			{ number: 1, publishedAt: savedAt, publishedBy: null, changes, isCurrent: true },
		]);
		expect(await findRows(deps, 'settings', { key: 'films' })).toEqual([]);

		// The first version still has the video after the owner has removed it, and can be restored.
		const caller = adminCaller(await makeUser(deps, 'owner@example.com', 'admin'), 'owner@example.com');
		const saved = await saveField(deps, caller, { field: 'videos.benefits', value: null, version: 1 });
		await publishDraft(deps, caller, { fields: [saved] });
		await collectGarbage({ ...deps, clock: { now: () => new Date(Date.now() + 10 * 24 * 3600 * 1000) } });
		expect(await checkIntegrity(deps)).toMatchObject({ problems: [], blobs: 2 });
		await restoreVersion(deps, caller, { number: 1 });
		const restored = (await getDraft(deps)).fields.find(({ field }) => field === 'videos.benefits');
		expect(restored?.published).toEqual(video);
		expect(await findRows(deps, 'storefront_files', { is_published: 1 })).toHaveLength(2);
		await closeDeps(deps);
	});

	test('gives an installation that changed nothing the default content', async () => {
		await migrateTo(installation.connection.db, executed);
		const deps = await start();
		expect(await findRows(deps, 'storefront_fields')).toEqual([]);
		expect(await findRows(deps, 'storefront_versions')).toMatchObject([
			{ number: 1, content: '{"template":"build-your-empire"}', changes: '[]', published_by: null },
		]);
		await closeDeps(deps);
	});
});

describe('a database that was migrated by a newer version', () => {
	const future = (step: SchemaStep) => ({ ...migrations, '9999-from-the-future': step });
	const up: SchemaStep['up'] = async (db) => {
		await db.schema
			.createTable('later')
			.addColumn('id', 'text', (c) => c.primaryKey())
			.execute();
	};

	test('is used when its newer migration declares that it is compatible with this version', async () => {
		await closeDeps(await start());
		const known = future({ up, isCompatibleWithPrevious: true });
		expect(await migrate(installation.connection.db, { known })).toEqual(['9999-from-the-future']);
		const deps = await start();
		await makeUser(deps, 'somebody@example.com');
		expect((await checkIntegrity(deps)).problems).toEqual([]);
		await closeDeps(deps);
		expect(await readSchemaState(installation.connection.db)).toMatchObject({
			unknown: ['9999-from-the-future'],
			pending: [],
			isCompatible: true,
		});
		expect(await listBackups()).toEqual([]);
	});

	test.for<[string, SchemaStep]>([
		['declares that it is incompatible', { up, isCompatibleWithPrevious: false }],
		['does not declare its compatibility', { up }],
	])('is refused with a message when its newer migration %s', async ([, step]) => {
		await closeDeps(await start());
		await migrate(installation.connection.db, { known: future(step) });
		await expect(start()).rejects.toThrow('This database belongs to a newer version of Folio.');
		expect((await readSchemaState(installation.connection.db)).isCompatible).toBe(false);
	});

	test('is refused when a migration of this version is missing', async () => {
		await migrateTo(installation.connection.db, migrationsBeforeBackups);
		const known = {
			...Object.fromEntries(migrationsBeforeBackups.map((name) => [name, migrations[name] ?? { up }])),
			'9999-from-the-future': { up, isCompatibleWithPrevious: true },
		};
		await migrate(installation.connection.db, { known });
		await expect(start()).rejects.toThrow('newer version');
	});

	test('cannot be restored by this version from a backup', async () => {
		const deps = await start();
		await migrate(installation.connection.db, { known: future({ up, isCompatibleWithPrevious: true }) });
		const folder = join(installation.folder, 'backup');
		await backUp(deps, folder, () => {});
		await closeDeps(deps);
		const other = await openEmptyInstallation(installation.config, testDatabase);
		await expect(restoreInto(other, folder)).rejects.toThrow('made by a newer version of Folio');
	});
});

test('each migration from 0015 on declares whether the previous release can still run', () => {
	const undeclared = names.filter((name) => name >= '0015' && migrations[name]?.isCompatibleWithPrevious === undefined);
	expect(undeclared).toEqual([]);
	expect(newestMigration).toBe(names.at(-1));
});
