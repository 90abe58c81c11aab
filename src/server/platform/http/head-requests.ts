import type { FastifyInstance, onSendHookHandler } from 'fastify';

/**
 * Lets each GET route answer HEAD too, unless it has `exposeHeadRoute: false`. Fastify's own `exposeHeadRoutes` would
 * register a second route for each, which makes the start slower (scripts/build/lazy-packages-plugin.mjs).
 */
export function answerHeadRequests(app: FastifyInstance): void {
	app.addHook('onRoute', (route) => {
		if (route.method !== 'GET' || route.exposeHeadRoute === false) return;
		route.method = ['GET', 'HEAD'];
		route.onSend = [...[route.onSend ?? []].flat(), dropBodyOfHead];
	});
}

const dropBodyOfHead: onSendHookHandler = (request, reply, payload, done) => {
	if (request.method !== 'HEAD') return done(null, payload);
	if (isStream(payload)) {
		payload.on('error', (error) => request.log.error({ err: error }, 'error in a stream for HEAD'));
		payload.resume();
	} else if (payload === undefined || typeof payload === 'string' || Buffer.isBuffer(payload)) {
		reply.header('content-length', Buffer.byteLength(payload ?? ''));
	}
	done(null, null);
};

function isStream(payload: unknown): payload is NodeJS.ReadableStream {
	return typeof (payload as NodeJS.ReadableStream | null | undefined)?.resume === 'function';
}
