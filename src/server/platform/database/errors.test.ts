import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectSqlite } from './connection.ts';
import { classifyDbError, DatabaseBusyError, isUniqueViolation } from './errors.ts';

const folder = await mkdtemp(join(tmpdir(), 'folio-errors-'));
const file = join(folder, 'errors.db');
const { db, close } = connectSqlite(file);

beforeAll(async () => {
	await run("create table parents (id text primary key); insert into parents values ('one')");
	await run('create table children (parent_id text references parents (id), other text unique)');
});

afterAll(async () => {
	await close();
	await rm(folder, { recursive: true, force: true });
});

async function run(statements: string, on = db): Promise<void> {
	for (const statement of statements.split(';')) await sql.raw(statement).execute(on);
}

async function errorOf(statements: string, on = db): Promise<unknown> {
	return run(statements, on).then(
		() => expect.unreachable('the statement succeeded'),
		(error: unknown) => error,
	);
}

test('classifyDbError returns unique, foreign-key, full and other for errors of SQLite', async () => {
	const duplicateKey = await errorOf("insert into parents values ('one')");
	expect(isUniqueViolation(duplicateKey)).toBe(true);
	await run("insert into children values ('one', 'same')");
	expect(classifyDbError(await errorOf("insert into children values ('one', 'same')"))).toBe('unique');
	expect(classifyDbError(await errorOf("insert into children values ('nobody', null)"))).toBe('foreign-key');
	expect(classifyDbError(await errorOf('select from'))).toBe('other');
	const pages = await sql<{ page_count: number }>`pragma page_count`.execute(db);
	await run(`pragma max_page_count = ${pages.rows[0]?.page_count}`);
	expect(classifyDbError(await errorOf('insert into parents values (hex(randomblob(100000)))'))).toBe('full');
	await run('pragma max_page_count = 1000000');
});

test('classifyDbError returns busy when another connection writes to the SQLite database', async () => {
	const secondConnection = connectSqlite(file, 1);
	await run('begin immediate');
	try {
		expect(classifyDbError(await errorOf("insert into parents values ('two')", secondConnection.db))).toBe('busy');
	} finally {
		await run('rollback');
		await secondConnection.close();
	}
	expect(classifyDbError(new DatabaseBusyError())).toBe('busy');
});

test.each([
	['unique', { code: '23505' }],
	['foreign-key', { code: '23503' }],
	['unstorable', { code: '22021' }],
	['full', { code: '53100' }],
	['busy', { code: '40P01' }],
	['gone', { code: '57P01' }],
	['gone', { code: 'ECONNREFUSED' }],
	['gone', { message: 'Connection terminated unexpectedly' }],
	['other', { code: '42601', message: 'syntax error' }],
])('classifyDbError returns %s for the PostgreSQL error %o', (kind, error) => {
	expect(classifyDbError(error)).toBe(kind);
});
