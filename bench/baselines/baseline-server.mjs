/**
 * A minimal server that answers like the product: node:http over node:sqlite, no framework, no validation, no logs, on
 * a copy of the product's database. Serves `/healthz`, `/durability`, and a signed-in member's page of files.
 */
import { createHash } from 'node:crypto';
import { openDatabase, readDurability, send, serve } from './baseline-answers.mjs';

const database = openDatabase();

const findSession = database.prepare(`
	select sessions.expires_at, sessions.ended_at, users.id, users.email, users.role, users.active
	from sessions join users on users.id = sessions.user_id where sessions.token_hash = ?`);
const listNodes = database.prepare(`
	select nodes.*, blobs.content_type, thumbnails.made_at as thumb_made_at, thumbnails.thumb_blob_id
	from nodes left join blobs on blobs.id = nodes.blob_id left join thumbnails on thumbnails.blob_id = nodes.blob_id
	where nodes.owner_id = ? and nodes.path = '' and nodes.deleted_at is null
	order by nodes.kind_order, nodes.sort_key, nodes.id limit ?`);
const sumFolder = database.prepare(`
	select kind, count(*) as count, sum(size_bytes) as size from nodes
	where owner_id = ? and path = '' and deleted_at is null group by kind`);

const previews = { pdf: 'application/pdf', jpg: 'image/jpeg' };
const previewNames = { pdf: 'pdf', jpg: 'image' };
/** Kinds of previews with a thumbnail. A missing thumbnail also has a URL: the first request makes it. */
const kindsWithThumbnail = new Set(['pdf', 'image']);

serve((request, response) => {
	const url = new URL(request.url, 'http://baseline');
	if (url.pathname === '/healthz') return send(response, 200, { status: 'ok' });
	if (url.pathname === '/durability') return send(response, 200, readDurability(database));
	if (url.pathname !== '/api/spaces/me/nodes') return send(response, 404, {});
	const user = findUser(request.headers.cookie ?? '');
	if (user === null) return send(response, 401, {});
	return send(response, 200, listPage(user, Number(url.searchParams.get('limit') ?? 50)));
}, database);

function findUser(cookie) {
	const token = /(?:^|; )folio_session=([^;]+)/.exec(cookie)?.[1];
	if (token === undefined) return null;
	const session = findSession.get(createHash('sha256').update(token).digest('base64url'));
	const isLive =
		session !== undefined &&
		session.active === 1 &&
		session.ended_at === null &&
		session.expires_at > new Date().toISOString();
	return isLive ? session : null;
}

function listPage(user, limit) {
	const rows = listNodes.all(user.id, limit + 1);
	const page = rows.slice(0, limit);
	const last = page.at(-1);
	const totals = sumFolder.all(user.id);
	const files = totals.find((total) => total.kind === 'file');
	return {
		breadcrumb: [],
		items: page.map(presentNode),
		nextCursor:
			rows.length > page.length
				? Buffer.from(JSON.stringify([last.kind_order, last.sort_key, last.id])).toString('base64url')
				: null,
		totals: {
			folders: totals.find((total) => total.kind === 'folder')?.count ?? 0,
			files: files?.count ?? 0,
			size: files?.size ?? 0,
		},
		can: { write: user.role === 'admin' },
		// Only admins get this value; the benchmark's caller is a member.
		use: null,
		space: { id: user.id, email: user.email },
	};
}

function presentNode(row) {
	const preview = previews[row.ending] === row.content_type ? (previewNames[row.ending] ?? null) : null;
	return {
		id: row.id,
		kind: row.kind,
		name: row.name,
		path: row.path,
		realPath: row.real_path,
		size: row.size_bytes,
		uploadedAt: row.created_at,
		itemCount: 0,
		folders: null,
		url: `/api/files/${row.id}/content`,
		preview,
		thumb: thumbOf(row, preview),
	};
}

function thumbOf(row, preview) {
	const url = `/api/files/${row.id}/thumb`;
	if (row.thumb_blob_id !== null) return `${url}?v=${row.thumb_blob_id}`;
	return row.thumb_made_at === null && kindsWithThumbnail.has(preview) ? url : null;
}
