/**
 * The baseline of downloads: node:http over node:sqlite or `pg` on a copy of the product's data, no framework and no logs. Sends
 * a member's own file, or a range of it, from the folder of stored files. Each request checks the session and the owner
 * of the file by one query. With the S3_* settings the bytes come from the store.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { connectDatabase, connectStore, send, serve } from './baseline-answers.mjs';

const database = await connectDatabase();
const findFile = database.prepare(`
	select blobs.id, blobs.storage_key, blobs.size_bytes, blobs.content_type
	from sessions join users on users.id = sessions.user_id
		join nodes on nodes.owner_id = users.id join blobs on blobs.id = nodes.blob_id
	where sessions.token_hash = $1 and sessions.ended_at is null and sessions.expires_at > $2 and users.active = 1
		and nodes.id = $3 and nodes.deleted_at is null`);

const openBytes = process.env.S3_BUCKET ? (await connectStore()).get : openFile;

serve(async (request, response) => {
	if (request.url === '/healthz') return send(response, 200, { status: 'ok' });
	const id = /^\/api\/files\/([^/]+)\/content$/.exec(request.url)?.[1];
	const token = /(?:^|; )folio_session=([^;]+)/.exec(request.headers.cookie ?? '')?.[1];
	if (id === undefined) return send(response, 404, {});
	if (token === undefined) return send(response, 401, {});
	const tokenHash = createHash('sha256').update(token).digest('base64url');
	const [file] = await findFile(tokenHash, new Date().toISOString(), id);
	if (file === undefined) return send(response, 404, {});
	const range = rangeOf(request.headers.range, file.size_bytes);
	response.writeHead(range === null ? 200 : 206, headersOf(file, range));
	pipeline(await openBytes(file.storage_key, range), response, () => {});
}, database);

function openFile(key, range) {
	return createReadStream(join(process.env.DATA_DIR, 'storage', key), range ?? {});
}

function rangeOf(header, size) {
	const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(header ?? '') ?? [];
	return start === undefined ? null : { start: Number(start), end: Math.min(Number(end), size - 1) };
}

function headersOf(file, range) {
	return {
		'accept-ranges': 'bytes',
		'cache-control': 'private, no-cache',
		'content-type': file.content_type,
		etag: `"${file.id}"`,
		'content-length': range === null ? file.size_bytes : range.end - range.start + 1,
		...(range !== null && { 'content-range': `bytes ${range.start}-${range.end}/${file.size_bytes}` }),
	};
}
