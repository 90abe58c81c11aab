import type { OutgoingHttpHeaders } from 'node:http';
import type { Writable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { eventsPath, eventsQuery, heartbeatIntervalMs, type ServerEvent } from '#contract/core/events.ts';
import { limits } from '#contract/core/limits.ts';
import { type Actor, getConnectionKeys, requireActor } from '../actor.ts';
import { AppError } from '../app-error.ts';
import { endStaleConnections } from '../auth/sessions/sessions.ts';
import type { Deps } from '../deps.ts';
import { createTimedYield } from '../event-loop.ts';
import { createKeyedSemaphore } from '../locking/concurrency-limiter.ts';
import type { Audience } from '../realtime/bus.ts';
import { createRecentEvents, isAddressed } from '../realtime/recent-events.ts';

interface EventStream {
	actor: Actor;
	send(event: Buffer): void;
	end(): void;
}

const heartbeatEvent = encodeEvent({ topic: 'alive' });

/** Registers `GET /api/events`, which sends the user's events as server-sent events (HTML standard, section 9.2). */
export function registerEventStream(app: FastifyInstance, deps: Deps): void {
	const streams = new Set<EventStream>();
	const recent = createRecentEvents(deps.clock);
	const streamSlots = createKeyedSemaphore(limits.eventStreamsPerUserMax);

	let runningChecks = 0;
	const endStale = async () => {
		runningChecks += 1;
		await endStaleConnections(deps).catch((error: unknown) =>
			deps.log.warn({ err: error }, 'ended sessions could not be looked up'),
		);
		runningChecks -= 1;
	};

	const unsubscribe = deps.bus.subscribe((message) => {
		recent.record(message);
		// Another recheck follows, so that one at a time is enough.
		if (message.kind === 'resync' || (message.kind === 'recheck' && runningChecks === 0)) void endStale();
		if (message.kind !== 'event' && message.kind !== 'resync') return;
		const { audience, event }: { audience: Audience; event: ServerEvent } =
			message.kind === 'resync' ? { audience: { to: 'everyone' }, event: { topic: 'resync' } } : message;
		const encoded = encodeEvent(event);
		for (const stream of streams) if (isAddressed(audience, stream.actor)) stream.send(encoded);
	});

	const sendHeartbeat = async () => {
		const yieldIfDue = createTimedYield();
		for (const stream of streams) {
			stream.send(heartbeatEvent);
			await yieldIfDue();
		}
	};
	const heartbeat = setInterval(() => {
		void sendHeartbeat();
		deps.bus.publishLocally({ kind: 'recheck' });
	}, heartbeatIntervalMs);
	heartbeat.unref();

	let isClosing = false;
	app.addHook('preClose', async () => {
		isClosing = true;
		clearInterval(heartbeat);
		unsubscribe();
		for (const stream of streams) stream.end();
	});

	app.head(eventsPath, { config: { access: 'member', isForSetUp: true } }, async (_request, reply) =>
		reply.type('text/event-stream').send(),
	);
	app.get(
		eventsPath,
		{ config: { access: 'member', isForSetUp: true }, exposeHeadRoute: false },
		async (request, reply) => {
			const actor = requireActor(request.caller);
			const query = eventsQuery.safeParse(request.query);
			if (!query.success) throw new AppError('INVALID_INPUT');
			const releaseSlot = streamSlots.tryAcquire(actor.userId);
			if (releaseSlot === null) throw new AppError('TOO_MANY_OPEN');
			reply.hijack();
			// Closed without a response, so that a proxy retries with another process, or the browser reconnects.
			if (isClosing) {
				request.raw.socket.destroy();
				return releaseSlot();
			}
			// If the client has already disconnected, no `close` event follows that would remove the stream.
			if (reply.raw.destroyed) return releaseSlot();
			const out = startEventStream(request, reply);
			const stream: EventStream = {
				actor,
				send: (event) => out.write(event),
				end: () => {
					// Removed now, before `close`, because writing an event to an ended response causes an unhandled error.
					streams.delete(stream);
					reply.raw.end();
				},
			};
			streams.add(stream);
			const { ageMs } = query.data;
			if (ageMs !== undefined) for (const event of recent.of(actor, ageMs)) stream.send(encodeEvent(event));
			const unregister = deps.live.add({
				...getConnectionKeys(actor),
				// The stream continues with the events of the new role, and the browser refetches.
				...(actor.impersonatedBy === null && {
					onRoleChange: (role) => {
						stream.actor = { ...actor, role };
						stream.send(encodeEvent({ topic: 'users' }));
					},
				}),
				end: (reason) => {
					// The session continues with another impersonation, or without one. The browser refetches its data, and
					// reconnects to receive the events of the user whom it shows now.
					if (reason === 'view') stream.send(encodeEvent({ topic: 'resync' }));
					// After a renewal no event is needed, because the browser reconnects with its new cookie.
					else if (reason !== 'renewed') stream.send(encodeEvent({ topic: 'ended', reason }));
					stream.end();
				},
			});
			reply.raw.once('close', () => {
				streams.delete(stream);
				releaseSlot();
				unregister();
			});
		},
	);
}

/**
 * Sends the headers of a response that ends with its connection. Without chunked encoding, the bytes of an event are
 * the same for every client and can be written to the socket directly.
 * @returns the stream to which events are written
 */
function startEventStream(request: FastifyRequest, reply: FastifyReply): Writable {
	const { raw } = reply;
	raw.removeHeader('transfer-encoding');
	// Passed to writeHead(), because headers that setHeader() sets stay in memory while the stream is open.
	const headers = reply.getHeaders() as OutgoingHttpHeaders;
	const streamHeaders = { 'content-type': 'text/event-stream', connection: 'close', 'x-accel-buffering': 'no' };
	raw.writeHead(200, { ...headers, ...streamHeaders });
	raw.write('retry: 1000\n\n');
	// Frees the memory of the request's headers, which are no longer needed.
	request.raw.rawHeaders.length = 0;
	request.raw.headers = {};
	// A pipelined request has no socket yet. Its response buffers the events until earlier responses are sent.
	return raw.socket ?? raw;
}

/** Encodes an event as a server-sent event (HTML standard, section 9.2.5). */
function encodeEvent(event: ServerEvent): Buffer {
	return Buffer.from(`data: ${JSON.stringify(event)}\n\n`);
}
