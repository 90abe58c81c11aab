/**
 * A minimal server that delivers messages: node:http over node:sqlite, no framework, no sessions, no access checks,
 * no logs, on a copy of the product's database. A posted message is one insert in a transaction and is written to every
 * open event stream.
 */
import { randomBytes } from 'node:crypto';
import { openDatabase, readDurability, send, serve } from './baseline-answers.mjs';

const database = openDatabase();

const begin = database.prepare('begin immediate');
const commit = database.prepare('commit');
const insert = database.prepare(`
	insert into messages (id, user_id, sequence, sender, author_id, client_id, message, search_key, created_at)
	values (?, ?, ?, 'user', ?, ?, ?, ?, ?)`);
let { sequence } = database.prepare('select max(last_sequence) as sequence from conversations').get();

const eventStreams = new Set();
const messagesPath = /^\/api\/chats\/([^/]+)\/messages$/u;

serve((request, response) => {
	if (request.method === 'POST') return receiveMessage(request, response);
	if (request.url === '/api/events') return openEventStream(request, response);
	if (request.url === '/durability') return send(response, 200, readDurability(database));
	return send(response, request.url === '/healthz' ? 200 : 404, {});
}, database);

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
		const userId = messagesPath.exec(request.url)?.[1];
		if (userId === undefined) return send(response, 404, {});
		const message = insertMessage(userId, JSON.parse(Buffer.concat(chunks).toString()));
		const event = `data: ${JSON.stringify({ topic: 'message', person: userId, message })}\n\n`;
		for (const stream of eventStreams) stream.write(event);
		return send(response, 200, message);
	});
}

function insertMessage(userId, { clientId, message }) {
	sequence += 1;
	const id = randomBytes(16).toString('base64url');
	const createdAt = new Date().toISOString();
	begin.run();
	insert.run(id, userId, sequence, userId, clientId, message, message.toLowerCase(), createdAt);
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
