/**
 * The minimal server that answers the same page: node:http with a body from memory. Path, headers and body are read
 * from the file that BYTES_FILE names, as JSON with the body in Base64.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const { path, headers, body } = JSON.parse(readFileSync(process.env.BYTES_FILE, 'utf8'));
const bytes = Buffer.from(body, 'base64');

const server = createServer((request, response) => {
	if (request.url === path) {
		response.writeHead(200, headers);
		return response.end(bytes);
	}
	response.writeHead(request.url === '/healthz' ? 200 : 404).end();
});
server.listen(Number(process.env.PORT), process.env.HOST);
process.on('SIGTERM', () => {
	server.close();
	server.closeAllConnections();
});
