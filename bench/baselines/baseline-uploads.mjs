/**
 * A minimal server for uploads: `PUT /FOLDER/NAME` of a signed-in admin. The bytes are written to a temporary name,
 * synced and renamed, and their folder is synced, or put in the S3 store; then one row is committed durably, and the
 * request is answered. Also serves `/healthz` and `/durability`.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { open, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connectDatabase, connectStore, createAdminCheck, send, serve } from './baseline-answers.mjs';

const database = await connectDatabase();
await database.prepare(
	'create table if not exists baseline_files (key text primary key, size_bytes integer, sha256 text)',
)();
const insertFile = database.prepare('insert into baseline_files (key, size_bytes, sha256) values ($1, $2, $3)');
const isAdmin = createAdminCheck(database);
const store = process.env.S3_BUCKET ? await connectStore() : null;
const root = join(process.env.DATA_DIR, 'baseline');
const folders = new Set();

serve(async (request, response) => {
	if (request.url === '/healthz') return send(response, 200, { status: 'ok' });
	if (request.url === '/durability') return send(response, 200, await database.readDurability());
	if (!(await isAdmin(request))) return send(response, 401, {});
	const [folder, name] = request.url.split('/').slice(1).map(encodeURIComponent);
	const chunks = [];
	for await (const chunk of request) chunks.push(chunk);
	const bytes = Buffer.concat(chunks);
	const key = `${folder}/${randomUUID()}-${name}`;
	await (store === null ? storeFile(folder, key, bytes) : store.put(key, bytes));
	await insertFile(key, bytes.length, createHash('sha256').update(bytes).digest('hex'));
	response.writeHead(201, { location: `/${key}`, 'content-length': 0 }).end();
}, database);

async function storeFile(folder, key, bytes) {
	const directory = join(root, folder);
	if (!folders.has(folder)) mkdirSync(directory, { recursive: true });
	folders.add(folder);
	const temporary = join(root, randomUUID());
	await writeFile(temporary, bytes, { flag: 'wx', flush: true });
	await rename(temporary, join(root, key));
	const handle = await open(directory, 'r');
	await handle.sync();
	await handle.close();
}
