/**
 * A minimal server for large uploads: `PUT /NAME` of a signed-in admin. The bytes are streamed to a temporary name, synced
 * and renamed, and their folder is synced, or piped to the S3 store; then one row is committed durably, and the request
 * is answered. It computes no hash. `GET /NAME` sends a stored file; also serves `/healthz`, `/durability` and `/metrics`.
 */
import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, mkdirSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { collectDefaultMetrics, register } from 'prom-client';
import { connectDatabase, connectStore, createAdminCheck, send, serve } from './baseline-answers.mjs';

const database = await connectDatabase();
await database.prepare('create table if not exists baseline_files (key text primary key, size_bytes integer)')();
const insertFile = database.prepare('insert into baseline_files (key, size_bytes) values ($1, $2)');
const isAdmin = createAdminCheck(database);
const store = process.env.S3_BUCKET ? await connectStore() : null;
const folder = join(process.env.DATA_DIR, 'baseline');
mkdirSync(folder, { recursive: true });
collectDefaultMetrics();

serve(async (request, response) => {
	if (request.url === '/healthz') return send(response, 200, { status: 'ok' });
	if (request.url === '/durability') return send(response, 200, await database.readDurability());
	if (request.url === '/metrics') return response.end(await register.metrics());
	if (!(await isAdmin(request))) return send(response, 401, {});
	const key = encodeURIComponent(request.url.slice(1));
	if (request.method === 'GET') {
		const bytes = store === null ? createReadStream(join(folder, key)) : await store.get(key);
		return bytes.pipe(response);
	}
	const sizeBytes = Number(request.headers['content-length']);
	await (store === null ? storeFile(request, key) : store.put(key, request, sizeBytes));
	await insertFile(key, sizeBytes);
	return response.writeHead(201, { location: `/${key}`, 'content-length': 0 }).end();
}, database);

async function storeFile(source, key) {
	const temporary = join(folder, randomUUID());
	const target = createWriteStream(temporary, { flags: 'wx', flush: true, highWaterMark: 1024 ** 2 });
	await pipeline(source, target);
	await rename(temporary, join(folder, key));
	const handle = await open(folder, 'r');
	await handle.sync();
	await handle.close();
}
