/**
 * The baseline of the landing page: a minimal node:http server that answers one path with the bytes that Folio sends
 * for it, from memory. BYTES_FILE is the path of a JSON file with path, headers and body (in Base64) of the answer.
 */
import { readFileSync } from 'node:fs';
import { serve } from './baseline-answers.mjs';

const { path, headers, body } = JSON.parse(readFileSync(process.env.BYTES_FILE, 'utf8'));
const bytes = Buffer.from(body, 'base64');

serve((request, response) => {
	if (request.url === path) {
		response.writeHead(200, headers);
		return response.end(bytes);
	}
	response.writeHead(request.url === '/healthz' ? 200 : 404).end();
});
