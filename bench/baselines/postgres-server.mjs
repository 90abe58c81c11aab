/**
 * The baseline of the page of files on PostgreSQL: node:http over the driver `pg`, on the product's database. Serves
 * `/healthz` and a signed-in member's page of files. Its statements are prepared by name, as the
 * driver's documentation advises for frequent queries.
 */
import pg from 'pg';
import { send, serve } from './baseline-answers.mjs';
import { hashToken, isLive, nodeColumns, presentPage, sessionColumns } from './file-page.mjs';

// Sizes are numbers, as in the product's answer.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 12 });

const findSession = `
	select ${sessionColumns}
	from sessions join users on users.id = sessions.user_id where sessions.token_hash = $1`;
const listNodes = `
	select ${nodeColumns}
	from nodes left join blobs on blobs.id = nodes.blob_id left join thumbnails on thumbnails.blob_id = nodes.blob_id
	where nodes.owner_id = $1 and nodes.path = '' and nodes.deleted_at is null
	order by nodes.kind_order, nodes.sort_key, nodes.id limit $2`;
const readTotals = `select folders, files, size_bytes as size from folder_totals where owner_id = $1 and path = ''`;

async function query(name, text, values) {
	return (await pool.query({ name, text, values })).rows;
}

serve(
	async (request, response) => {
		const url = new URL(request.url, 'http://baseline');
		if (url.pathname === '/healthz') return send(response, 200, { status: 'ok' });
		if (url.pathname !== '/api/spaces/me/nodes') return send(response, 404, {});
		const tokenHash = hashToken(request.headers.cookie);
		const [user] = tokenHash === null ? [] : await query('session', findSession, [tokenHash]);
		if (!isLive(user)) return send(response, 401, {});
		const limit = Number(url.searchParams.get('limit') ?? 50);
		const [rows, [totals]] = await Promise.all([
			query('nodes', listNodes, [user.id, limit + 1]),
			query('totals', readTotals, [user.id]),
		]);
		return send(response, 200, presentPage(user, rows, limit, totals));
	},
	{ close: () => pool.end() },
);
