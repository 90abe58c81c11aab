import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export function openDatabase(env = process.env) {
	const database = new DatabaseSync(join(env.DATA_DIR, 'folio.db'));
	database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on');
	return database;
}

/**
 * Connects to an installation's database: the embedded one, or PostgreSQL with statements prepared by name, as its
 * driver's documentation advises for frequent queries. `prepare` takes SQL with the parameters $1, $2, … in this order,
 * and returns a function that takes their values and returns rows, from PostgreSQL as a promise.
 */
export async function connectDatabase(env = process.env) {
	if (!env.DATABASE_URL) {
		const database = openDatabase(env);
		const prepare = (text) => {
			const statement = database.prepare(text.replaceAll(/\$\d/g, '?'));
			return (...values) => statement.all(...values);
		};
		return { prepare, readDurability: () => readDurability(database), close: () => database.close() };
	}
	const { default: pg } = await import('pg');
	// Sizes are numbers, as in the product's answers.
	pg.types.setTypeParser(pg.types.builtins.INT8, Number);
	const pool = new pg.Pool({ connectionString: env.DATABASE_URL, max: 12 });
	const names = new Map();
	const prepare = (text) => {
		const name = `statement ${names.size}`;
		names.set(text, name);
		return async (...values) => (await pool.query({ name, text, values })).rows;
	};
	const readSettings = prepare(`
		select current_setting('fsync') as fsync, current_setting('synchronous_commit') as "synchronousCommit"`);
	return { prepare, readDurability: async () => (await readSettings())[0], close: () => pool.end() };
}

/** Connects to an installation's S3 store. `get` returns a stream. */
export async function connectStore(
	{ S3_ENDPOINT: endpoint, S3_REGION: region, S3_BUCKET: Bucket, ...env } = process.env,
) {
	const { GetObjectCommand, PutObjectCommand, S3Client } = await import('@aws-sdk/client-s3');
	const credentials = { accessKeyId: env.S3_ACCESS_KEY_ID, secretAccessKey: env.S3_SECRET_ACCESS_KEY };
	// Other stores than AWS reject its new checksums.
	const requestChecksumCalculation = 'WHEN_REQUIRED';
	const client = new S3Client({ endpoint, region, forcePathStyle: true, credentials, requestChecksumCalculation });
	return {
		async get(Key, range) {
			const Range = range && `bytes=${range.start}-${range.end}`;
			return (await client.send(new GetObjectCommand({ Bucket, Key, Range }))).Body;
		},
		/** Stores a buffer, or a stream of the given length. */
		put: (Key, Body, ContentLength) => client.send(new PutObjectCommand({ Bucket, Key, Body, ContentLength })),
	};
}

export function serve(answer, database) {
	// As Fastify's: a client that prepares a large body keeps its connection.
	const server = createServer({ keepAliveTimeout: 72_000 }, answer).listen(Number(process.env.PORT), process.env.HOST);
	process.on('SIGTERM', () => {
		server.close();
		server.closeAllConnections();
		database?.close();
	});
}

/** Reads the durability settings of the baseline's connection, which must equal the product's. */
export function readDurability(database) {
	return {
		journal: database.prepare('pragma journal_mode').get().journal_mode,
		synchronous: database.prepare('pragma synchronous').get().synchronous,
	};
}

export function send(response, status, body) {
	const text = JSON.stringify(body);
	response.writeHead(status, {
		'content-type': 'application/json; charset=utf-8',
		'content-length': Buffer.byteLength(text),
		'cache-control': 'no-store',
	});
	response.end(text);
}

/** Returns a function that tells by the session cookie whether a request is of an active admin. */
export function createAdminCheck(database) {
	const findSession = database.prepare(`
		select users.role from sessions join users on users.id = sessions.user_id
		where sessions.token_hash = $1 and sessions.ended_at is null and sessions.expires_at > $2 and users.active = 1`);
	return async ({ headers }) => {
		const token = /(?:^|; )folio_session=([^;]+)/.exec(headers.cookie ?? '')?.[1] ?? '';
		const tokenHash = createHash('sha256').update(token).digest('base64url');
		const [user] = await findSession(tokenHash, new Date().toISOString());
		return user?.role === 'admin';
	};
}
