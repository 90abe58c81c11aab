/**
 * The least that a hand-over to nginx can cost: a node:http server that checks nothing and answers every request with
 * the path of one stored file (HAND_OVER_PATH), whose bytes nginx then sends.
 */
import { serve } from './baseline-answers.mjs';

const headers = { 'content-type': 'application/octet-stream', 'x-accel-redirect': process.env.HAND_OVER_PATH };

serve((request, response) => {
	if (request.url === '/healthz') return response.writeHead(200).end();
	response.writeHead(request.headers.range === undefined ? 200 : 206, headers).end();
});
