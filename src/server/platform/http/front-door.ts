import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { securityHeaders } from './headers.ts';
import { answerWith, type ReadyAnswer, type ReadyPage } from './ready-page.ts';

/** What a request asked for and how it was answered, for log and measurements. */
export interface Answered {
	requestId: string;
	method: string;
	path: string;
	route: string;
	status: number;
	ms: number;
}

/** Noting costs more than answering: the answers of some milliseconds are noted together. */
const noteAfterMs = 10;

/** Finds the page that answers a request whoever asks; null for whatever needs a closer look. */
export type FindReadyPage = (request: IncomingMessage) => ReadyPage | null;

/**
 * Hands out ready pages before the framework sees the request: half of what such an answer costs is asking who calls,
 * which makes no difference to it. The answer has the same status, headers and bytes as the route's own; a request that
 * `find` does not know goes on to that route.
 */
export function openFrontDoor(
	app: FastifyInstance,
	deps: Deps,
	{ find, note }: { find: FindReadyPage; note(answered: Answered): void },
): void {
	const everyAnswers = securityHeaders(deps);
	const heads = new WeakMap<ReadyAnswer, OutgoingHttpHeaders>();
	const headOf = (answer: ReadyAnswer): OutgoingHttpHeaders => {
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
	const answered: Array<Pick<Answered, 'method' | 'path' | 'status' | 'ms'>> = [];
	const noteAll = () => {
		for (const one of answered.splice(0)) note({ requestId: crypto.randomUUID(), route: one.path, ...one });
	};
	app.server.off('request', handle);
	app.server.on('request', (request, response) => {
		// A server that is closing tells its clients so.
		const page = app.server.listening ? find(request) : null;
		if (page === null) return handle(request, response);
		const startedAt = performance.now();
		const answer = answerWith(request.headers, page);
		const { status } = answer;
		response.writeHead(status, headOf(answer));
		response.end(answer.body);
		const ms = performance.now() - startedAt;
		const { method = 'GET', url: path = '/' } = request;
		if (answered.push({ method, path, status, ms }) === 1) setTimeout(noteAll, noteAfterMs).unref();
	});
	app.addHook('onClose', async () => noteAll());
}
