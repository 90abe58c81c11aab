import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { securityHeaders } from '../security-headers.ts';
import { type PrerenderedPage, type PrerenderedResponse, selectResponse } from './prerendered-page.ts';

/** How often a ready page was handed out with one status since it was last told of. */
export interface ServedCount {
	path: string;
	status: PrerenderedResponse['status'];
	count: number;
}

/** Telling of an answer costs as much as giving it: the answers of some milliseconds are counted and told of together. */
const reportDelayMs = 10;

/** Finds the page that answers a request whoever asks; null for whatever needs a closer look. */
export type FindPrerenderedPage = (request: IncomingMessage) => PrerenderedPage | null;

/**
 * Hands out ready pages before the framework sees the request: half of what such an answer costs is asking who calls,
 * which makes no difference to it. The answer has the same status, headers and bytes as the route's own; a request that
 * `find` does not know goes on to that route.
 */
export function servePrerenderedPages(
	app: FastifyInstance,
	deps: Deps,
	{ find, tell }: { find: FindPrerenderedPage; tell(handedOut: ServedCount): void },
): void {
	const everyAnswers = securityHeaders(deps);
	const heads = new WeakMap<PrerenderedResponse, OutgoingHttpHeaders>();
	const headOf = (answer: PrerenderedResponse): OutgoingHttpHeaders => {
		const known = heads.get(answer);
		if (known !== undefined) return known;
		const { headers, body } = answer;
		const head = { ...everyAnswers, ...headers, ...(body && { 'content-length': body.length }) };
		heads.set(answer, head);
		return head;
	};
	const [handle, ...others] = app.server.listeners('request') as Array<
		(request: IncomingMessage, response: ServerResponse) => void
	>;
	if (handle === undefined || others.length > 0) throw new Error('The server has not one handler of requests.');
	const counts = new Map<PrerenderedResponse, ServedCount>();
	const tellAll = () => {
		for (const handedOut of counts.values()) tell(handedOut);
		counts.clear();
	};
	const count = (path: string, answer: PrerenderedResponse) => {
		const handedOut = counts.get(answer);
		if (handedOut !== undefined) return void handedOut.count++;
		if (counts.size === 0) setTimeout(tellAll, reportDelayMs).unref();
		counts.set(answer, { path, status: answer.status, count: 1 });
	};
	app.server.off('request', handle);
	app.server.on('request', (request, response) => {
		// A server that is closing tells its clients so.
		const page = app.server.listening ? find(request) : null;
		if (page === null) return handle(request, response);
		const answer = selectResponse(request.headers, page);
		response.writeHead(answer.status, headOf(answer));
		response.end(answer.body);
		count(request.url ?? '/', answer);
	});
	app.addHook('onClose', async () => tellAll());
}
