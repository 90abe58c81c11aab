/**
 * The minimal server that delivers messages: node:http over node:sqlite, no framework, no sessions, no access checks,
 * no logs, on a copy of the product's database. A posted message is one insert in a transaction and is written to every
 * open event stream.
 */
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readDurability, send } from './baseline-answers.mjs';

const database = new DatabaseSync(join(process.env.DATA_DIR, 'folio.db'));
database.exec('pragma journal_mode = wal');
database.exec('pragma synchronous = full');
database.exec('pragma foreign_keys = on');

const begin = database.prepare('begin immediate');
const commit = database.prepare('commit');
const insert = database.prepare(`
	insert into messages (id, user_id, sequence, sender, author_id, client_id, message, search_key, created_at)
	values (?, ?, ?, 'user', ?, ?, ?, ?, ?)`);
let { sequence } = database.prepare('select max(last_sequence) as sequence from conversations').get();

const eventStreams = new Set();
const messagesPath = /^\/api\/chats\/([^/]+)\/messages$/u;

const server = createServer((request, response) => {
	if (request.method === 'POST') return receiveMessage(request, response);
	if (request.url === '/api/events') return openEventStream(request, response);
	if (request.url === '/durability') return send(response, 200, readDurability(database));
	return send(response, request.url === '/healthz' ? 200 : 404, {});
});
server.listen(Number(process.env.PORT), process.env.HOST);
process.on('SIGTERM', () => {
	server.close();
	server.closeAllConnections();
	database.close();
});

function openEventStream(request, response) {
	response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
	response.write('retry: 1000\n\n');
	eventStreams.add(response);
	request.on('close', () => eventStreams.delete(response));
}

function receiveMessage(request, response) {
	const chunks = [];
	request.on('data', (chunk) => chunks.push(chunk));
	request.on('end', () => {
		const person = messagesPath.exec(request.url)?.[1];
		if (person === undefined) return send(response, 404, {});
		const message = insertMessage(person, JSON.parse(Buffer.concat(chunks).toString()));
		const event = `data: ${JSON.stringify({ topic: 'message', person, message })}\n\n`;
		for (const line of eventStreams) line.write(event);
		return send(response, 200, message);
	});
}

function insertMessage(person, { clientId, message }) {
	sequence += 1;
	const id = randomBytes(16).toString('base64url');
	const createdAt = new Date().toISOString();
	begin.run();
	insert.run(id, person, sequence, person, clientId, message, message.toLowerCase(), createdAt);
	commit.run();
	return {
		id,
		sequence,
		clientId,
		sender: 'user',
		message,
		isFile: false,
		fileType: null,
		fileName: null,
		fileSizeBytes: null,
		createdAt,
	};
}
