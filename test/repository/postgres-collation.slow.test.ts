import pg from 'pg';
import { expect, test } from 'vitest';
import { startPostgres } from '../support/services/postgres-server.ts';

test('the default collation of the PostgreSQL server for tests is not the byte order', async () => {
	await using server = await startPostgres();
	const client = new pg.Client({ connectionString: server.urlOf('postgres') });
	await client.connect();
	const list = "(values ('a'), ('B'), ('10'), ('é')) as t (name)";
	const byDefault = await client.query(`select string_agg(name, ' ' order by name) as names from ${list}`);
	const byBytes = await client.query(`select string_agg(name, ' ' order by name collate "C") as names from ${list}`);
	await client.end();
	expect(byDefault.rows[0].names).toBe('10 a B é');
	expect(byBytes.rows[0].names).toBe('10 B a é');
	expect(server.version).toMatch(/PostgreSQL\) 1[89]/u);
});
