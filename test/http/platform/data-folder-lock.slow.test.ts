import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { repairAfterStart } from '#server/features/maintenance/tasks/tasks.service.ts';
import { ConfigError } from '#server/platform/config.ts';
import { getInstallationId } from '#server/platform/installation.ts';
import { acquireProcessLock, acquireServerLock } from '#server/platform/locking/process-lock.ts';
import { insertRows } from '../../support/app/database-rows.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { createSecondProcess } from '../../support/app/test-app.ts';

const lockModule = join(import.meta.dirname, '../../../src/server/platform/locking/process-lock.ts');

// These tests need a storage on disk.
const { testApp, deps } = await openTestApp({ S3_BUCKET: '' });
const files = join(deps.config.DATA_DIR, 'storage');
const elsewhere = await mkdtemp(join(tmpdir(), 'folio-elsewhere-'));
afterAll(() => rm(elsewhere, { recursive: true, force: true }));
await deps.storage.put('files/one', Buffer.from('one'));

test('refuses to start with stored files of another installation, which maintenance would delete', async () => {
	await symlink(files, join(elsewhere, 'storage'));
	const start = createSecondProcess(testApp, { DATABASE_URL: undefined, DATA_DIR: elsewhere });
	await expect(start).rejects.toThrow(/^Invalid settings: the files in \S+ belong to another Folio/u);
	expect(await readdir(join(files, 'files'))).toEqual(['one']);
});

test('accepts a storage folder without a marker file only when it contains files of the database', async () => {
	await rm(join(files, '.folio'));
	await expect(createSecondProcess(testApp)).rejects.toThrow('contains files that are not recorded in this database');
	expect(await readdir(join(files, 'files'))).toEqual(['one']);

	const { db, clock } = deps;
	const row = { id: 'one', storage_key: 'files/one', size_bytes: 3, sha256: '', content_type: 'text/plain' };
	await insertRows(deps, 'blobs', [{ ...row, created_at: clock.now().toISOString() }]);
	const secondApp = await createSecondProcess(testApp);
	expect(await readFile(join(files, '.folio'), 'utf8')).toBe(`${await getInstallationId(db, clock)}\n`);
	await repairAfterStart(secondApp.deps);
	expect((await readdir(files)).sort()).toEqual(['.aside', '.folio', 'files']);
	await secondApp.close();
});

test('the data folder of SQLite can be locked by one server at a time', () => {
	const config = { DATA_DIR: join(elsewhere, 'alone'), DATABASE_URL: undefined };
	const lock = acquireServerLock(config);
	const refusal = `Another process already serves or restores DATA_DIR ${config.DATA_DIR}.`;
	expect(() => acquireServerLock(config)).toThrow(refusal);
	lock?.release();
	acquireServerLock(config)?.release();
	expect(acquireServerLock({ ...config, DATABASE_URL: 'postgres://db.example/folio' })).toBeNull();
});

describe('a lock file that cannot be used', () => {
	const refusalOf = (file: string): string => {
		try {
			acquireProcessLock(file)?.release();
		} catch (error) {
			expect(error).toBeInstanceOf(ConfigError);
			return (error as ConfigError).message;
		}
		return 'locked';
	};
	const advice = 'This user must be able to write to its folder, and its path must not be too long.';
	const cannotUse = (file: string, reason = 'unable to open database file') =>
		`The lock file ${file} cannot be used (${reason}). ${advice}`;

	test('is refused when it is a folder, when its parent is not a folder, or when its path is too long', async () => {
		const noFolder = join(elsewhere, 'no-folder');
		await writeFile(noFolder, '');
		const inFile = join(noFolder, 'some.lock');
		expect(refusalOf(inFile)).toBe(cannotUse(inFile, `EEXIST: file already exists, mkdir '${noFolder}'`));
		const folder = join(elsewhere, 'folder.lock');
		await mkdir(folder);
		expect(refusalOf(folder)).toBe(cannotUse(folder));
		const tooLong = join(elsewhere, ...Array(4).fill('x'.repeat(200)), 'some.lock');
		expect(refusalOf(tooLong)).toBe(cannotUse(tooLong));
	});

	test('is refused and stays unchanged when it is another kind of file', async () => {
		const file = join(elsewhere, 'other.lock');
		const text = 'no database, whatever its name says. '.repeat(4);
		await writeFile(file, text);
		expect(refusalOf(file)).toBe(`${file} is not a lock file of Folio. Remove it while no server runs.`);
		expect(await readFile(file, 'utf8')).toBe(text);
	});

	test('is refused in a folder without write permission', async () => {
		const folder = join(elsewhere, 'closed');
		await mkdir(folder, { mode: 0o555 });
		await chmod(elsewhere, 0o755);
		const file = join(folder, 'some.lock');
		// Root ignores permissions, so that the process changes its user after it has loaded the module.
		const take = `import { acquireProcessLock } from ${JSON.stringify(lockModule)}; if (process.getuid() === 0) process.setuid(65534);
			try { acquireProcessLock(${JSON.stringify(file)}); console.log('locked'); } catch ({ name, message }) { console.log(name, message); }`;
		const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', take]);
		expect(stdout.trim()).toBe(`ConfigError ${cannotUse(file)}`);
	});
});
