import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { repairAfterStart } from '#server/features/upkeep/upkeep.service.ts';
import { takeServerHold } from '#server/platform/holds/holds.ts';
import { getInstallationId } from '#server/platform/installation.ts';
import { createTestApp, createTwin, type TestApp } from '../support/app.ts';

let world: TestApp;
let files: string;
let elsewhere: string;

beforeAll(async () => {
	// In a folder, wherever this run keeps its bytes.
	world = await createTestApp({ S3_BUCKET: '' });
	files = join(world.deps.config.DATA_DIR, 'storage');
	elsewhere = await mkdtemp(join(tmpdir(), 'folio-elsewhere-'));
	await world.deps.storage.put('files/one', Buffer.from('one'));
});
afterAll(async () => {
	await world.close();
	await rm(elsewhere, { recursive: true, force: true });
});

test('a database of another installation is not started on these files, which its upkeep would remove', async () => {
	await symlink(files, join(elsewhere, 'storage'));
	const start = createTwin(world, { DATABASE_URL: undefined, DATA_DIR: elsewhere });
	await expect(start).rejects.toThrow(/^Bad settings: the files in \S+ belong to another Folio/u);
	expect(await readdir(join(files, 'files'))).toEqual(['one']);
});

test('files without a mark belong to the database that knows some, and to no other', async () => {
	await rm(join(files, '.folio'));
	await expect(createTwin(world)).rejects.toThrow('holds files that this database knows nothing of');
	expect(await readdir(join(files, 'files'))).toEqual(['one']);

	const { db, clock } = world.deps;
	const row = { id: 'one', storage_key: 'files/one', size_bytes: 3, sha256: '', content_type: 'text/plain' };
	await db
		.insertInto('blobs')
		.values({ ...row, created_at: clock.now().toISOString() })
		.execute();
	const twin = await createTwin(world);
	expect(await readFile(join(files, '.folio'), 'utf8')).toBe(`${await getInstallationId(db, clock)}\n`);
	await repairAfterStart(twin.deps);
	expect((await readdir(files)).sort()).toEqual(['.aside', '.folio', 'files']);
	await twin.close();
});

test('an embedded database is served by one process alone, until that one is gone', async () => {
	const folder = await mkdtemp(join(tmpdir(), 'folio-alone-'));
	const first = await createTwin(world, { DATABASE_URL: undefined, DATA_DIR: folder });
	const { db } = first.deps;
	const hold = await takeServerHold(first.deps);
	const become = (pid: number) =>
		db
			.updateTable('holds')
			.set({ detail: JSON.stringify({ version: '1', host: hostname(), pid }) })
			.where('id', '=', hold.id)
			.execute();
	await become(process.ppid);
	await expect(takeServerHold(first.deps)).rejects.toThrow(
		`Process ${process.ppid} serves this DATA_DIR already, and one alone serves an embedded database.`,
	);
	await become(spawnSync('true').pid);
	await (await takeServerHold(first.deps)).release();
	await hold.release();
	await first.close();
	await rm(folder, { recursive: true, force: true });
});
