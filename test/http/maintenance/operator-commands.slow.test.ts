import { mkdir, mkdtemp, readdir, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { migrateTo, migrations } from '#server/platform/database/migrations/migrate.ts';
import { acquireServerLock } from '#server/platform/locking/process-lock.ts';
import { fastTemporaryFolder } from '../../../scripts/services/memory-disk.mjs';
import { runCommand } from '../../../src/cli/commands.ts';
import { dumpDatabase } from '../../support/app/database-dump.ts';
import { createTestApp } from '../../support/app/test-app.ts';
import { makeTextFile } from '../../support/fixtures/files.ts';
import { openEmptyInstallation } from '../../support/fixtures/installations.ts';
import { testDatabase } from '../../support/services/test-database.ts';

const folder = await mkdtemp(join(fastTemporaryFolder(2 ** 30), 'folio-commands-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const testApp = await createTestApp();
afterAll(() => testApp.close());
const { deps } = testApp;
const { DATA_DIR, DATABASE_URL, SECRET, s3 } = deps.config;
await makeTextFile(deps, 'guest', 'note.txt', 'note');

const s3Settings = s3 && {
	S3_ENDPOINT: s3.endpoint,
	S3_REGION: s3.region,
	S3_BUCKET: s3.bucket,
	S3_ACCESS_KEY_ID: s3.accessKeyId,
	S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
};
/** The settings of the test app's installation. */
const own = { DATA_DIR, SECRET, ...(DATABASE_URL !== undefined && { DATABASE_URL }), ...s3Settings };

async function run(env: Record<string, string | undefined>, ...args: string[]) {
	const out = vi.spyOn(console, 'log').mockImplementation(() => {});
	const err = vi.spyOn(console, 'error').mockImplementation(() => {});
	try {
		const code = await runCommand(args, env);
		const [stdout, stderr] = [out, err].map(({ mock }) => mock.calls.flat().join('\n'));
		return { code, stdout: stdout ?? '', stderr: stderr ?? '' };
	} finally {
		out.mockRestore();
		err.mockRestore();
	}
}

/** Runs a command that is refused. @returns the only line that it prints to stderr */
async function refusalOf(env: Record<string, string | undefined>, ...args: string[]): Promise<string> {
	const { code, stderr } = await run(env, ...args);
	expect([code, stderr.trimEnd().split('\n')], args.join(' ')).toEqual([1, [expect.any(String)]]);
	return stderr.trimEnd();
}

const withArgument: Record<string, string> = {
	backup: join(folder, 'unused'),
	'create-admin': 'asha@example.com',
	'import-logins': import.meta.filename,
	'reset-password': 'asha@example.com',
	'reset-two-factor': 'asha@example.com',
	restore: join(folder, 'unused'),
};
const withoutArgument = ['fsck', 'version', 'accept-secret', 'rotate-secret'];

test('every command refuses arguments that it does not have', async () => {
	for (const [name, argument] of Object.entries(withArgument)) {
		expect(await refusalOf(own, name, argument, 'extra')).toBe(`${name} has no argument 'extra'.`);
		expect(await refusalOf(own, name)).toMatch(`${name} needs `);
	}
	for (const name of withoutArgument)
		expect(await refusalOf(own, name, 'extra')).toBe(`${name} has no argument 'extra'.`);
	expect(await refusalOf(own, 'fsck', '--fast')).toBe('fsck has no option --fast.');
});

test('a command with a mistyped DATA_DIR names the setting and creates nothing', async () => {
	const mistyped = join(folder, 'mistyped');
	for (const name of [...withoutArgument, ...Object.keys(withArgument).filter((key) => key !== 'restore')]) {
		const refusal = await refusalOf({ DATA_DIR: mistyped }, name, ...[withArgument[name] ?? []].flat());
		expect(refusal).toContain(`There is no installation of Folio at ${mistyped}: set DATA_DIR`);
	}
	expect(await refusalOf({ DATA_DIR: mistyped }, 'restore', join(folder, 'unused'))).toContain('There is nothing at');
	if (DATABASE_URL !== undefined) {
		expect(await refusalOf({ ...own, SECRET: '', DATA_DIR: mistyped }, 'fsck')).toContain('set DATA_DIR');
		if (s3 === null) expect(await refusalOf({ ...own, DATA_DIR: mistyped }, 'fsck')).toContain('set DATA_DIR');
		const empty = await openEmptyInstallation(deps.config, 'postgres');
		const settings = { ...own, DATABASE_URL: empty.config.DATABASE_URL };
		expect(await refusalOf(settings, 'reset-password', 'asha@example.com')).toContain('set DATABASE_URL');
		expect(await dumpDatabase(empty.connection)).toEqual({});
	}
	expect(await readdir(folder)).toEqual([]);
});

test('fsck changes neither rows nor files, and does not mark the storage', async () => {
	await deps.storage.remove(['.folio']);
	const before = [await dumpDatabase(deps.connection), await readdir(DATA_DIR, { recursive: true })];
	expect(await run(own, 'fsck')).toMatchObject({ code: 0, stdout: expect.stringContaining('0 problems'), stderr: '' });
	expect([await dumpDatabase(deps.connection), await readdir(DATA_DIR, { recursive: true })]).toEqual(before);
	expect(await deps.storage.findSize('.folio')).toBeNull();
});

test('no command migrates a database of an older version', async () => {
	const older = await openEmptyInstallation(deps.config, testDatabase, { storage: 'disk' });
	await migrateTo(older.connection.db, Object.keys(migrations).sort().slice(0, -1));
	const before = await dumpDatabase(older.connection);
	const settings = { SECRET, DATA_DIR: older.folder, DATABASE_URL: older.config.DATABASE_URL };
	for (const args of [['fsck'], ['reset-password', 'asha@example.com'], ['rotate-secret']])
		expect(await refusalOf(settings, ...args)).toContain('Start the server first');
	expect(await run(settings, 'version')).toMatchObject({ code: 0, stdout: expect.stringContaining('The next start') });
	expect(await dumpDatabase(older.connection)).toEqual(before);
});

test('a backup to a path that cannot be written ends with one line', async () => {
	const file = join(folder, 'file');
	await writeFile(file, '');
	const link = join(folder, 'link');
	await symlink(join(folder, 'nowhere'), link);
	onTestFinished(() => Promise.all([unlink(file), unlink(link)]).then(() => {}));
	for (const path of [file, join(file, 'backup'), join(link, 'backup'), '/proc/folio/backup', '/sys/folio'])
		expect(await refusalOf(own, 'backup', path)).toMatch(/E[A-Z]+: |cannot be used/u);
});

test('a refused restore leaves the target folder as it was', async () => {
	const notFinished = join(folder, 'not-finished');
	const target = join(folder, 'target');
	await mkdir(notFinished);
	expect(await refusalOf({ DATA_DIR: target, SECRET }, 'restore', notFinished)).toContain(
		'contains no finished backup',
	);
	const backup = join(folder, 'backup');
	expect(await run(own, 'backup', backup)).toMatchObject({ code: 0 });
	const wrong = { DATA_DIR: target, SECRET: 'another secret of 16' };
	expect(await refusalOf(wrong, 'restore', backup)).toContain('SECRET is not the one');
	expect((await readdir(folder)).includes('target')).toBe(false);
	const before = await readdir(DATA_DIR);
	expect(await refusalOf(own, 'restore', backup)).toContain('The database is in use');
	const lock = acquireServerLock(deps.config);
	if (lock !== null) expect(await refusalOf(own, 'restore', backup)).toContain('Stop the server first');
	lock?.release();
	expect(await readdir(DATA_DIR)).toEqual([...before, ...(lock === null ? [] : ['server.process-lock'])].sort());
});
