import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export function openDatabase() {
	const database = new DatabaseSync(join(process.env.DATA_DIR, 'folio.db'));
	database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on');
	return database;
}

export function serve(answer, database) {
	const server = createServer(answer).listen(Number(process.env.PORT), process.env.HOST);
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
		where sessions.token_hash = ? and sessions.ended_at is null and sessions.expires_at > ? and users.active = 1`);
	return ({ headers }) => {
		const token = /(?:^|; )folio_session=([^;]+)/.exec(headers.cookie ?? '')?.[1] ?? '';
		const tokenHash = createHash('sha256').update(token).digest('base64url');
		return findSession.get(tokenHash, new Date().toISOString())?.role === 'admin';
	};
}
