import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { repairAfterStart } from '#server/features/upkeep/upkeep.service.ts';
import { getInstallationId } from '#server/platform/installation.ts';
import { requireOnlyServer, takeProcessLock } from '#server/platform/locking/process-lock.ts';
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

test('an embedded database has one server at a time', () => {
	const config = { DATA_DIR: join(elsewhere, 'alone'), DATABASE_URL: undefined };
	const lock = requireOnlyServer(config);
	expect(() => requireOnlyServer(config)).toThrow(
		`Another process serves, restores or moves DATA_DIR ${config.DATA_DIR} already`,
	);
	lock?.release();
	requireOnlyServer(config)?.release();
	expect(requireOnlyServer({ ...config, DATABASE_URL: 'postgres://db.example/folio' })).toBeNull();
});

test('the lock of a killed process is free although nobody has reaped it', async () => {
	const file = join(elsewhere, 'some.lock');
	const module = join(import.meta.dirname, '../../src/server/platform/locking/process-lock.ts');
	const hold = `import { takeProcessLock } from ${JSON.stringify(module)}; console.log(takeProcessLock(${JSON.stringify(file)}) !== null); setInterval(() => {}, 1000);`;
	// The shell becomes a program that waits for none of its children.
	const command = '"$0" --input-type=module --eval "$1" & echo $!; exec sleep 60';
	const parent = spawn('sh', ['-c', command, process.execPath, hold]);
	try {
		const lines = createInterface({ input: parent.stdout })[Symbol.asyncIterator]();
		const pid = Number((await lines.next()).value);
		expect((await lines.next()).value).toBe('true');
		expect(takeProcessLock(file)).toBeNull();
		process.kill(pid, 'SIGKILL');
		const lock = takeProcessLock(file);
		expect(lock).not.toBeNull();
		// The system still has the dead process in its table.
		expect(process.kill(pid, 0)).toBe(true);
		lock?.release();
		expect((await stat(file)).size).toBe(0);
	} finally {
		parent.kill('SIGKILL');
	}
});
