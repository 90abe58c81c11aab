import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { securityHeaders } from '../security-headers.ts';
import { type PrerenderedPage, type PrerenderedResponse, selectResponse } from './prerendered-page.ts';

/** Number of times a prerendered page was served with one status since the last report. */
export interface ServedCount {
	path: string;
	status: PrerenderedResponse['status'];
	count: number;
}

/** Reporting a response costs as much as sending it, so the responses of some milliseconds are reported together. */
const reportDelayMs = 10;

/** Finds the page that answers a request from any client; null if the request needs the app. */
export type FindPrerenderedPage = (request: IncomingMessage) => PrerenderedPage | null;

/**
 * Serves prerendered pages before the framework sees the request: looking up the caller would take half of the time and
 * makes no difference. Status, headers and bytes are the same as the route's. A request for which `find` returns null
 * goes to the framework.
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
		// While the server is closing, the framework answers, and tells the clients so.
		const page = app.server.listening ? find(request) : null;
		if (page === null) return handle(request, response);
		const answer = selectResponse(request.headers, page);
		response.writeHead(answer.status, headOf(answer));
		response.end(answer.body);
		count(request.url ?? '/', answer);
	});
	app.addHook('onClose', async () => tellAll());
}
