/**
 * A minimal server for large uploads: `PUT /NAME` of a signed-in admin. The bytes are streamed to a temporary name, synced
 * and renamed, and their folder is synced; then one row is committed with synchronous=FULL, and the request is answered.
 * It computes no hash. `GET /NAME` sends a stored file; also serves `/healthz`, `/durability` and `/metrics`.
 */
import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, mkdirSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { collectDefaultMetrics, register } from 'prom-client';
import { createAdminCheck, openDatabase, readDurability, send, serve } from './baseline-answers.mjs';

const database = openDatabase();
database.exec('create table if not exists baseline_files (key text primary key, size_bytes integer) strict');
const insertFile = database.prepare('insert into baseline_files (key, size_bytes) values (?, ?)');
const isAdmin = createAdminCheck(database);
const folder = join(process.env.DATA_DIR, 'baseline');
mkdirSync(folder, { recursive: true });
collectDefaultMetrics();

serve(async (request, response) => {
	if (request.url === '/healthz') return send(response, 200, { status: 'ok' });
	if (request.url === '/durability') return send(response, 200, readDurability(database));
	if (request.url === '/metrics') return response.end(await register.metrics());
	if (!isAdmin(request)) return send(response, 401, {});
	const key = encodeURIComponent(request.url.slice(1));
	if (request.method === 'GET') return createReadStream(join(folder, key)).pipe(response);
	const sizeBytes = await storeFile(request, key);
	insertFile.run(key, sizeBytes);
	return response.writeHead(201, { location: `/${key}`, 'content-length': 0 }).end();
}, database);

/** @returns the number of stored bytes */
async function storeFile(source, key) {
	const temporary = join(folder, randomUUID());
	const target = createWriteStream(temporary, { flags: 'wx', flush: true, highWaterMark: 1024 ** 2 });
	await pipeline(source, target);
	await rename(temporary, join(folder, key));
	const handle = await open(folder, 'r');
	await handle.sync();
	await handle.close();
	return target.bytesWritten;
}
