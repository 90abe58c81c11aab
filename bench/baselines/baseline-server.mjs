/**
 * A minimal server that answers like the product: node:http over node:sqlite or the driver `pg`, no framework, no
 * validation, no logs, on the product's database or a copy. Serves `/healthz`, `/durability`, and a signed-in member's
 * page of files.
 */
import { connectDatabase, send, serve } from './baseline-answers.mjs';
import { hashToken, isLive, nodeColumns, presentPage, sessionColumns } from './file-page.mjs';

const database = await connectDatabase();

const findSession = database.prepare(`
	select ${sessionColumns}
	from sessions join users on users.id = sessions.user_id where sessions.token_hash = $1`);
const listNodes = database.prepare(`
	select ${nodeColumns}
	from nodes left join blobs on blobs.id = nodes.blob_id left join thumbnails on thumbnails.blob_id = nodes.blob_id
	where nodes.owner_id = $1 and nodes.path = '' and nodes.deleted_at is null
	order by nodes.kind_order, nodes.sort_key, nodes.id limit $2`);
const readTotals = database.prepare(`
	select folders, files, size_bytes as size from folder_totals where owner_id = $1 and path = ''`);

serve(async (request, response) => {
	const url = new URL(request.url, 'http://baseline');
	if (url.pathname === '/healthz') return send(response, 200, { status: 'ok' });
	if (url.pathname === '/durability') return send(response, 200, await database.readDurability());
	if (url.pathname !== '/api/spaces/me/nodes') return send(response, 404, {});
	const tokenHash = hashToken(request.headers.cookie);
	const [user] = tokenHash === null ? [] : await findSession(tokenHash);
	if (!isLive(user)) return send(response, 401, {});
	const limit = Number(url.searchParams.get('limit') ?? 50);
	const [rows, [totals]] = await Promise.all([listNodes(user.id, limit + 1), readTotals(user.id)]);
	return send(response, 200, presentPage(user, rows, limit, totals));
}, database);
