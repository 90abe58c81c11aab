import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeMoved, type MoveResult, move } from '#server/features/maintenance/move/move.service.ts';
import { parseMoveTarget } from '#server/features/maintenance/move/move-target.ts';
import { checkIntegrity } from '#server/features/maintenance/tasks/tasks.service.ts';
import { ConfigError } from '#server/platform/config.ts';
import { finishBulkLoad } from '#server/platform/database/bulk-copy/bulk-load.ts';
import type { Connection } from '#server/platform/database/connection.ts';
import type { Deps } from '#server/platform/deps.ts';
import { getInstallationId } from '#server/platform/installation.ts';
import {
	acquireProcessLease,
	acquireServerLease,
	requireNoMove,
} from '#server/platform/locking/process-leases/process-leases.ts';
import { acquireServerLock } from '#server/platform/locking/process-lock.ts';
import { openStorage } from '#server/platform/storage/open-storage.ts';
import { createHttpClient } from '../../support/app/http-client.ts';
import { createSecondProcess, createTestApp, type TestApp } from '../../support/app/test-app.ts';
import { makeUser } from '../../support/app/users.ts';
import {
	createEmptyInstallation,
	type EmptyInstallation,
	failAfterStatements,
	hashStoredBytes,
	pickKillMoments,
	readComparableRows,
	seedEveryTable,
	withoutUnfinishedUploads,
} from '../../support/fixtures/installations.ts';
import { testDatabase } from '../../support/services/test-database.ts';

const quiet = () => {};

let world: TestApp;
const installations: EmptyInstallation[] = [];

beforeAll(async () => {
	world = await createTestApp();
	await seedEveryTable(world.deps);
});
afterAll(async () => {
	for (const place of installations) await place.close();
	await world.close();
});

async function createInstallation(kind: 'sqlite' | 'postgres', settings = {}): Promise<EmptyInstallation> {
	const place = await createEmptyInstallation(world.deps.config, kind, settings);
	installations.push(place);
	return place;
}

const moveTo = (deps: Deps, place: EmptyInstallation, connection: Connection = place.connection): Promise<MoveResult> =>
	move(deps, { config: place.config, connection }, quiet);

const isEmbedded = testDatabase === 'sqlite';

/** Takes the process lock and the server lease, as main.ts does. */
async function startServing(deps: Deps): Promise<{ release(): Promise<void> }> {
	const lock = acquireServerLock(deps.config);
	const hold = await acquireServerLease(deps);
	return {
		async release() {
			await hold?.release();
			lock?.release();
		},
	};
}

const other = testDatabase === 'postgres' ? 'sqlite' : testDatabase;

test('a move to another database and storage and back keeps rows and bytes, and both installations work', async () => {
	const rows = await readComparableRows(world.deps.connection);
	const bytes = await hashStoredBytes(world.deps);
	const there = await createInstallation(other, { storage: 'disk' });
	const moved = await moveTo(world.deps, there);
	expect(moved).toMatchObject({
		differences: [],
		faults: [],
		areFilesShared: false,
		discardedUploads: 2,
		replacedNuls: 0,
	});
	expect(moved.files.files).toBe(Object.keys(bytes).length);
	expect(describeMoved(moved).at(-1)).toBe('Both are alike.');
	expect(await readComparableRows(world.deps.connection)).toEqual(rows);
	const withoutUploads = withoutUnfinishedUploads(rows);
	expect(withoutUnfinishedUploads(await readComparableRows(there.connection))).toEqual(withoutUploads);

	const twin = await createSecondProcess(world, there.config);
	const back = await createInstallation(testDatabase);
	try {
		expect(await hashStoredBytes(twin.deps)).toEqual(bytes);
		expect((await checkIntegrity(twin.deps)).problems).toEqual([]);
		expect(await moveTo(twin.deps, back)).toMatchObject({ differences: [], discardedUploads: 0 });
		expect(withoutUnfinishedUploads(await readComparableRows(back.connection))).toEqual(withoutUploads);
	} finally {
		await twin.close();
	}
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

test('a move that was killed at any statement can be repeated, with equal rows', async () => {
	const rows = withoutUnfinishedUploads(await readComparableRows(world.deps.connection));
	const first = await createInstallation(other);
	const counting = failAfterStatements(first.connection, Number.POSITIVE_INFINITY);
	await moveTo(world.deps, first, counting);
	for (const statements of pickKillMoments(counting.counted())) {
		const place = await createInstallation(other);
		await expect(
			moveTo(world.deps, place, failAfterStatements(place.connection, statements)),
			`${statements}`,
		).rejects.toThrow('killed');
		if (statements > 1) await expect(createSecondProcess(world, place.config)).rejects.toThrow(ConfigError);
		expect(await moveTo(world.deps, place)).toMatchObject({ differences: [] });
		expect(withoutUnfinishedUploads(await readComparableRows(place.connection))).toEqual(rows);
	}
});

test('a move to another database can leave the files where they are', async () => {
	const place = await createInstallation(other);
	// SQLite and files on disk are in one folder, so the target must name the same folder for both.
	const { DATA_DIR } = world.deps.config;
	expect(() => parseMoveTarget(world.deps.config, { to: `sqlite:${place.folder}`, files: DATA_DIR })).toThrow(
		'name it twice',
	);
	const { s3 } = world.deps.config;
	const config = { ...place.config, s3, ...(s3 === null && { DATA_DIR }) };
	const moving = move(world.deps, { config, connection: place.connection }, quiet);
	if (testDatabase === 'sqlite' && s3 === null) {
		await expect(moving).rejects.toThrow('The database is there already');
		return;
	}
	expect(await moving).toMatchObject({ areFilesShared: true, discardedUploads: 0, differences: [] });
	await expect(createSecondProcess(world)).rejects.toThrow('was moved to another database');
	await finishBulkLoad(world.deps.db);
});

test('a move recognises the same storage under another name and leaves the files there', async () => {
	const place = await createInstallation(testDatabase, { storage: 'disk' });
	const { s3 } = world.deps.config;
	const byAnotherWay = join(place.folder, 'link');
	await symlink(world.deps.config.DATA_DIR, byAnotherWay);
	const config = {
		...place.config,
		...(s3 === null ? { DATA_DIR: byAnotherWay } : { s3: { ...s3, endpoint: `${s3.endpoint}/` } }),
	};
	const bytes = await hashStoredBytes(world.deps);
	const moved = await move(world.deps, { config, connection: place.connection }, quiet);
	expect(moved).toMatchObject({ areFilesShared: true, differences: [] });
	await expect(createSecondProcess(world)).rejects.toThrow('was moved to another database');
	await finishBulkLoad(world.deps.db);
	expect(await hashStoredBytes(world.deps)).toEqual(bytes);
});

test('a move is refused when the target folder has files of another installation, which stay unchanged', async () => {
	const place = await createInstallation(other, { storage: 'disk' });
	const storage = join(place.folder, 'storage');
	await mkdir(storage);
	await writeFile(join(storage, 'theirs.pdf'), 'theirs');
	await expect(moveTo(world.deps, place)).rejects.toThrow('holds files that this database knows nothing of');
	await writeFile(join(storage, '.folio'), 'of theirs\n');
	await expect(moveTo(world.deps, place)).rejects.toThrow('belong to another Folio');
	expect(await readdir(storage)).toEqual(['.folio', 'theirs.pdf']);
});

test('a move reports differences, blocks the start of the target, and copies again when it is repeated', async () => {
	const place = await createInstallation(other);
	const whole = await createInstallation(other);
	const counting = failAfterStatements(whole.connection, Number.POSITIVE_INFINITY);
	await moveTo(world.deps, whole, counting);
	const nearlyAll = failAfterStatements(place.connection, counting.counted() - 4);
	await expect(moveTo(world.deps, place, nearlyAll)).rejects.toThrow('killed');
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
	const wrong = await moveTo(world.deps, place);
	expect(wrong.differences).toEqual(['users: the rows are not the same', `${key}: differs`]);
	expect(describeMoved(wrong).filter((line) => line.startsWith('DIFFERENT'))).toHaveLength(2);
	await expect(createSecondProcess(world, place.config)).rejects.toThrow('was not finished');
	expect(await moveTo(world.deps, place)).toMatchObject({ differences: [] });
	expect((await buffer(await storage.read(key))).equals(Buffer.alloc(first?.size_bytes ?? 0, 'x'))).toBe(false);
	await storage.close();
});

test('a move is refused while a server, a backup or another move runs, and no server starts during it', async () => {
	const place = await createInstallation(other);
	const server = await startServing(world.deps);
	await expect(moveTo(world.deps, place)).rejects.toThrow('Stop the server first');
	await server.release();
	const backup = await acquireProcessLease(world.deps, 'backup');
	await expect(moveTo(world.deps, place)).rejects.toThrow('A backup is under way');
	await backup.release();
	const begun = Promise.withResolvers<void>();
	const mover = move(world.deps, { config: place.config, connection: place.connection }, () => begun.resolve());
	await begun.promise;
	await expect(moveTo(world.deps, place)).rejects.toThrow(
		isEmbedded ? 'another process serves, restores or moves' : 'Another move is under way',
	);
	await expect(startServing(world.deps)).rejects.toThrow(isEmbedded ? 'restores or moves' : 'is being moved');
	await mover;
	await (await startServing(world.deps)).release();
	expect(await world.deps.db.selectFrom('process_leases').selectAll().execute()).toEqual([]);
});

test('a server starts, and a move runs, at once after another move was killed', async () => {
	const row = {
		id: 'killed',
		kind: 'move' as const,
		detail: JSON.stringify({ version: '1', host: hostname(), pid: process.pid }),
		expires_at: '2999-01-01T00:00:00.000Z',
		created_at: '2026-01-01T00:00:00.000Z',
	};
	await world.deps.db.insertInto('process_leases').values(row).execute();
	await (await startServing(world.deps)).release();
	await world.deps.db.insertInto('process_leases').values(row).execute();
	await requireNoMove(world.deps);
	await world.deps.db.insertInto('process_leases').values(row).execute();
	expect(await moveTo(world.deps, await createInstallation(other))).toMatchObject({ differences: [] });
	expect(await world.deps.db.selectFrom('process_leases').selectAll().execute()).toEqual([]);
});

if (!isEmbedded) {
	test.each([
		['90 seconds', 90],
		['a day', 24 * 3600],
	])('a move is refused while a server runs on another machine, whose clock is %s behind', async (_words, seconds) => {
		const place = await createInstallation(other);
		const server = await startServing(world.deps);
		const now = () => new Date(world.clock.now().getTime() + seconds * 1000);
		await expect(moveTo({ ...world.deps, clock: { now } }, place)).rejects.toThrow(
			/Stop the server first.*process \d+ on/u,
		);
		await server.release();
	});
}

test('a move is refused when the target is in use, has other tables or another secret', async () => {
	const used = await createTestApp();
	try {
		await makeUser(used.deps, 'somebody@example.com');
		const config = used.deps.config;
		await expect(move(world.deps, { config, connection: used.deps.connection }, quiet)).rejects.toThrow(
			'The database is in use',
		);
	} finally {
		await used.close();
	}
	const place = await createInstallation(other);
	await place.connection.db.schema.createTable('notes').addColumn('text', 'text').execute();
	await expect(moveTo(world.deps, place)).rejects.toThrow('tables of something else (notes)');
	const secret = await createInstallation(other, { SECRET: undefined });
	await writeFile(join(world.deps.config.DATA_DIR, 'secret'), `${world.deps.config.SECRET}\n`);
	const own = await createSecondProcess(world, { SECRET: undefined });
	try {
		await writeFile(join(secret.folder, 'secret'), 'a secret of its own, as long as one\n');
		await expect(moveTo(own.deps, secret)).rejects.toThrow('has a secret of its own');
		await rm(join(secret.folder, 'secret'));
		await moveTo(own.deps, secret);
		expect(await readFile(join(secret.folder, 'secret'), 'utf8')).toBe(
			await readFile(join(world.deps.config.DATA_DIR, 'secret'), 'utf8'),
		);
	} finally {
		await own.close();
	}
	await expect(
		move(world.deps, { config: world.deps.config, connection: world.deps.connection }, quiet),
	).rejects.toThrow('The database is there already');
});

test('a move to PostgreSQL replaces and counts NUL characters, which a move to SQLite keeps', async () => {
	if (testDatabase === 'sqlite') {
		const place = await createInstallation('sqlite');
		await world.deps.db.updateTable('canned_replies').set({ message: 'a\0b' }).where('id', '=', 'cr').execute();
		expect(await moveTo(world.deps, place)).toMatchObject({ replacedNuls: 0, differences: [] });
		const { message } = await place.connection.db
			.selectFrom('canned_replies')
			.select('message')
			.where('id', '=', 'cr')
			.executeTakeFirstOrThrow();
		expect(message).toBe('a\0b');
		return;
	}
	const embedded = await createInstallation('sqlite');
	await moveTo(world.deps, embedded);
	await embedded.connection.db.updateTable('canned_replies').set({ message: 'a\0b' }).where('id', '=', 'cr').execute();
	const twin = await createSecondProcess(world, embedded.config);
	try {
		const place = await createInstallation('postgres');
		expect(await moveTo(twin.deps, place)).toMatchObject({ replacedNuls: 1, differences: [] });
		const { message } = await place.connection.db
			.selectFrom('canned_replies')
			.select('message')
			.where('id', '=', 'cr')
			.executeTakeFirstOrThrow();
		expect(message).toBe('a\u{FFFD}b');
	} finally {
		await twin.close();
	}
});

test.for([
	['mysql://x', '/tmp/x', '--to must be'],
	['sqlite:', '/tmp/x', '--to must be'],
	['postgres://', '/tmp/x', '--to must be'],
	['postgres://u:p@host:99999/db', '/tmp/x', '--to must be'],
	['postgres://u:p@ho st/db', '/tmp/x', '--to must be'],
	['postgres://a/b', 's3://', '--files must be'],
	['postgres://a/b', 's3://bucket/folder', '--files must be'],
	['postgres://a/b', 's3://bucket?acl=public', 'not acl'],
	['postgres://a/b', 's3://bucket', 'Set S3_ACCESS_KEY_ID'],
] as const)('refuses the target --to %s --files %s', ([to, files, why]) => {
	const config = { ...world.deps.config, S3_ACCESS_KEY_ID: undefined, S3_SECRET_ACCESS_KEY: undefined };
	expect(() => parseMoveTarget(config, { to, files })).toThrow(why);
});

test('reads bucket, endpoint, region and keys from the URL of an object store', () => {
	const files = 's3://key:se%2Fcret@My_bucket?endpoint=http://127.0.0.1:9000&region=eu';
	expect(parseMoveTarget(world.deps.config, { to: 'postgres://a/b', files })).toMatchObject({
		DATABASE_URL: 'postgres://a/b',
		DATA_DIR: world.deps.config.DATA_DIR,
		s3: {
			bucket: 'My_bucket',
			endpoint: 'http://127.0.0.1:9000',
			region: 'eu',
			accessKeyId: 'key',
			secretAccessKey: 'se/cret',
		},
	});
});
