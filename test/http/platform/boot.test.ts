import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSecrets, loadOrCreateSecret } from '#server/platform/auth/secrets.ts';
import { ConfigError, parseConfig } from '#server/platform/config.ts';
import { type Connection, connectPostgres, connectSqlite } from '#server/platform/database/connection.ts';
import { migrate, readSchemaState } from '#server/platform/database/migrations/migrate.ts';
import { createLog } from '#server/platform/log.ts';
import { closeDeps, connectTo, createDeps, startWorkers } from '#server/start.ts';
import { createPostgresDatabase, type TestDatabase, testDatabase } from '../../support/services/test-database.ts';

let folder: string;
let database: TestDatabase | null = null;
let connection: Connection;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'folio-boot-'));
	if (testDatabase === 'postgres') database = await createPostgresDatabase('empty');
	connection = database === null ? connectSqlite(join(folder, 'folio.db')) : connectPostgres(database.url, () => {});
});
afterAll(async () => {
	await connection.close();
	await database?.drop();
	await rm(folder, { recursive: true, force: true });
});

describe('parseConfig', () => {
	test.each([
		['PORT', 'eighty'],
		['PORT', '70000'],
		['PORT', '-1'],
		['PUBLIC_URL', 'folio.example'],
		['PUBLIC_URL', 'https://folio.example/shop'],
		['PUBLIC_URL', 'ftp://folio.example'],
		['DATABASE_URL', 'mysql://localhost/folio'],
		['DATABASE_URL', 'postgres://'],
		['DATABASE_URL', 'postgres://folio:very-secret@db.example.com:99999/folio'],
		['DATABASE_URL', 'postgres://folio:very-secret@db example.com/folio'],
		['DATABASE_URL', 'postgres://folio:very#secret@db.example.com/folio'],
		['SMTP_URL', 'mail.example.com'],
		['SMTP_URL', 'smtps://'],
		['SMTP_URL', 'smtp://a:very#secret@mail.example.com'],
		['SMTP_URL', 'smtp://a:very/secret@mail.example.com'],
		['SMTP_URL', 'smtp://a:1/very-secret@mail.example.com'],
		['SMTP_URL', 'smtp://a:1?very-secret@mail.example.com'],
		['SMTP_URL', 'smtp://a:very-secret%zz@mail.example.com'],
		['ADMIN_EMAIL', 'nobody'],
		['ADMIN_PASSWORD', '12345'],
		['SECRET', 'too short'],
		['LOG_LEVEL', 'loud'],
		['TIME_ZONE', 'Middle/Earth'],
		['BUYER_PASSWORD', 'email'],
		['RATE_LIMIT_FACTOR', '0'],
		['RATE_LIMIT_FACTOR', 'many'],
		['METRICS_TOKEN', 'short'],
		['X_ACCEL_REDIRECT', 'stored-files'],
		['X_ACCEL_REDIRECT', '/stored-files/'],
		['S3_BUCKET', 'folio'],
		['S3_ENDPOINT', 'store.example.com'],
		['S3_SECRET_ACCESS_KEY', 'very secret'],
	])(
		'refuses %s=%s with a message of one line, which contains the name of the setting but no secret',
		(name, value) => {
			const message = errorMessageFor({ [name]: value });
			expect(message).toContain(name);
			expect(message).not.toContain('\n');
			expect(message).not.toMatch(/very.secret/u);
			if (/SECRET|PASSWORD/u.test(name)) expect(message).not.toContain(value);
		},
	);

	test('accepts an SMTP URL with an encoded password, parameters or no user', () => {
		const urls = [
			'smtps://you%40x.example:a%23b@[::1]:465',
			'smtp://you@x.example:a b@mail/?tls.rejectUnauthorized=false',
		];
		for (const url of [...urls, 'smtp://mail:25']) expect(parseConfig({ SMTP_URL: url }).SMTP_URL).toBe(url);
	});

	test('accepts a database URL with a host or a socket folder', () => {
		const urls = ['postgres://db/folio', 'postgresql://u:p%23w@[::1]:5433/folio', 'postgres:///folio?host=/run/pg'];
		for (const url of urls) expect(parseConfig({ DATABASE_URL: url }).DATABASE_URL).toBe(url);
	});

	test('lists all invalid settings in one message', () => {
		const message = errorMessageFor({ PORT: 'x', TIME_ZONE: 'y', SMTP_URL: 'z' });
		for (const name of ['PORT', 'TIME_ZONE', 'SMTP_URL']) expect(message).toContain(name);
	});

	test('requires all settings of an object store or none, and lists the missing settings', () => {
		const keys = { S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'key' };
		const whole = { S3_BUCKET: 'folio', ...keys };
		expect(parseConfig({}).s3).toBeNull();
		expect(parseConfig(whole).s3).toEqual({
			endpoint: undefined,
			region: 'us-east-1',
			bucket: 'folio',
			accessKeyId: 'id',
			secretAccessKey: 'key',
		});
		const elsewhere = { ...whole, S3_ENDPOINT: 'https://store.example.com/s3', S3_REGION: 'ap-south-1' };
		expect(parseConfig(elsewhere).s3).toMatchObject({ endpoint: elsewhere.S3_ENDPOINT, region: 'ap-south-1' });
		expect(errorMessageFor({ S3_BUCKET: 'folio', S3_ACCESS_KEY_ID: 'id' })).toBe(
			'Missing settings: S3_SECRET_ACCESS_KEY (an S3 store needs them; these are set: S3_BUCKET, S3_ACCESS_KEY_ID).',
		);
		expect(errorMessageFor({ S3_REGION: 'ap-south-1' })).toBe(
			'Missing settings: S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY (an S3 store needs them; these are set: S3_REGION).',
		);
	});

	test('refuses X_ACCEL_REDIRECT with an S3 store', () => {
		const store = { S3_BUCKET: 'folio', S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'key' };
		expect(errorMessageFor({ ...store, X_ACCEL_REDIRECT: '/stored-files' })).toBe(
			'Invalid settings: with X_ACCEL_REDIRECT nginx sends files of DATA_DIR, but S3_BUCKET is set. Remove one of them.',
		);
	});

	test('treats an empty setting as not set', () => {
		const names = 'PORT PUBLIC_URL SMTP_URL SECRET RATE_LIMIT_FACTOR TIME_ZONE S3_BUCKET DATABASE_URL'.split(' ');
		expect(parseConfig(Object.fromEntries(names.map((name) => [name, ''])))).toMatchObject({
			HOST: '127.0.0.1',
			PORT: 3000,
			PUBLIC_URL: 'http://127.0.0.1:3000',
			TIME_ZONE: 'Asia/Kolkata',
			RATE_LIMIT_FACTOR: 1,
			isSecure: false,
		});
		const secure = { PUBLIC_URL: 'https://folio.example', isSecure: true };
		expect(parseConfig({ PUBLIC_URL: 'https://folio.example/' })).toMatchObject(secure);
	});

	test.each([
		[{ HOST: '0.0.0.0' }, 'http://127.0.0.1:3000', true],
		[{ HOST: '::' }, 'http://127.0.0.1:3000', true],
		[{ HOST: '::1' }, 'http://[::1]:3000', false],
		[{ TRUST_PROXY: '1' }, 'http://127.0.0.1:3000', true],
		[{ HOST: '0.0.0.0', PUBLIC_URL: 'HTTPS://Folio.Example:443' }, 'https://folio.example', false],
	])('with %j, PUBLIC_URL is %s, and it is %s that the start prints a notice', (env, address, hasNotice) => {
		const { PUBLIC_URL, startNotice } = parseConfig(env);
		expect([PUBLIC_URL, startNotice?.startsWith('PUBLIC_URL is not set') ?? false]).toEqual([address, hasNotice]);
	});
});

test('the error message for a PostgreSQL server that does not respond contains the server but not the password', async () => {
	// No server listens on port 1.
	const config = parseConfig({ DATA_DIR: folder, DATABASE_URL: 'postgres://u:very-secret@127.0.0.1:1/folio' });
	const failed = connectTo(config, createLog('silent'));
	await expect(failed).rejects.toThrow(ConfigError);
	await expect(failed).rejects.toThrow(
		'PostgreSQL at 127.0.0.1:1 cannot be used (connect ECONNREFUSED 127.0.0.1:1): check that it is running and that its address is correct.',
	);
});

function errorMessageFor(env: Record<string, string>): string {
	try {
		parseConfig(env);
	} catch (error) {
		expect(error).toBeInstanceOf(ConfigError);
		return (error as ConfigError).message;
	}
	throw new Error('The settings were accepted.');
}

describe('migrations', () => {
	test('migrate an empty database, and do nothing the second time', async () => {
		const { pending } = await readSchemaState(connection.db);
		expect(pending.length).toBeGreaterThan(0);
		expect(await migrate(connection.db)).toEqual(pending);
		expect(await migrate(connection.db)).toEqual([]);
		expect((await readSchemaState(connection.db)).pending).toEqual([]);
	});

	test('create the same tables and columns in both databases, and the same columns are nullable', async () => {
		const file = connectSqlite(join(folder, 'other.db'));
		try {
			await migrate(file.db);
			expect(await describeTables(connection)).toEqual(await describeTables(file));
			expect(Object.keys(await describeTables(file)).length).toBeGreaterThan(14);
		} finally {
			await file.close();
		}
	});

	test('make both databases sort keys in byte order', async () => {
		const words = ['a', 'B', 'Z', 'é', 'क', '_', '1', ' '];
		for (const word of words)
			await connection.db.insertInto('settings').values({ key: word, value: '', version: 1, updated_at: '' }).execute();
		const written = connection.db.selectFrom('settings').select('key').where('key', 'in', words).orderBy('key');
		const byBytes = words.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
		expect((await written.execute()).map(({ key }) => key)).toEqual(byBytes);
		const after = await written.where('key', '>', 'a').execute();
		expect(after.map(({ key }) => key).sort()).toEqual(['é', 'क']);
	});

	test('refuse a database of a newer version of Folio with a message', async () => {
		const { db } = connection;
		await sql`insert into kysely_migration (name, timestamp) values ('9999-from-the-future', '2099')`.execute(db);
		await expect(migrate(db)).rejects.toThrow('This database belongs to a newer version of Folio.');
		await sql`delete from kysely_migration where name = '9999-from-the-future'`.execute(db);
		expect(await migrate(db)).toEqual([]);
	});
});

/** Returns the nullability of each column. Key columns are exempt, because SQLite reports text keys as nullable. */
async function describeTables({ db }: Connection) {
	// The databases have different tables and views for the search.
	const isCompared = ({ name }: { name: string }) => !/_search(_|$)/u.test(name);
	const tables = (await db.introspection.getTables())
		.filter(isCompared)
		.toSorted((a, b) => a.name.localeCompare(b.name));
	const describeColumn = ({ name, isNullable }: { name: string; isNullable: boolean }) =>
		[name, name === 'id' || name === 'key' ? 'key' : isNullable ? 'may be empty' : 'set'] as const;
	return Object.fromEntries(tables.map(({ name, columns }) => [name, Object.fromEntries(columns.map(describeColumn))]));
}

test('the workers start although another process locks the database', async () => {
	const config = parseConfig({ DATA_DIR: join(folder, 'locked'), PUBLIC_URL: 'http://folio.test' });
	const deps = await createDeps(config, { log: createLog('silent'), databaseWaitMs: 20 });
	const otherProcess = new DatabaseSync(join(config.DATA_DIR, 'folio.db'));
	otherProcess.exec('begin exclusive');
	const stopWorkers = await startWorkers(deps);
	otherProcess.close();
	await stopWorkers();
	await closeDeps(deps);
});

describe('the secret', () => {
	test('is created once, stored, and readable only by its owner', async () => {
		const secret = loadOrCreateSecret(join(folder, 'fresh'));
		expect(secret).toHaveLength(43);
		expect(loadOrCreateSecret(join(folder, 'fresh'))).toBe(secret);
		expect((await stat(join(folder, 'fresh', 'secret'))).mode & 0o777).toBe(0o600);
	});

	test('decrypts only unchanged values that it has encrypted for the same field', () => {
		const secrets = createSecrets('one secret of sixteen');
		const sealed = secrets.seal('orders.upi_id', 'asha@bank');
		expect(secrets.unseal('orders.upi_id', sealed)).toBe('asha@bank');
		expect(secrets.seal('orders.upi_id', 'asha@bank')).not.toBe(sealed);
		expect(() => secrets.unseal('settings.bank', sealed)).toThrow();
		expect(() => createSecrets('another secret of 16').unseal('orders.upi_id', sealed)).toThrow();
		const [version, body = ''] = sealed.split('.');
		const bytes = Buffer.from(body, 'base64url');
		bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
		expect(() => secrets.unseal('orders.upi_id', `${version}.${bytes.toString('base64url')}`)).toThrow();
	});
});
