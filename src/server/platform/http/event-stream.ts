import type { OutgoingHttpHeaders } from 'node:http';
import type { Writable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Role } from '#contract/accounts/account.ts';
import { eventsPath, eventsQuery, heartbeatIntervalMs, type ServerEvent } from '#contract/core/events.ts';
import { limits } from '#contract/core/limits.ts';
import { getConnectionKeys } from '../actor.ts';
import { AppError } from '../app-error.ts';
import { endStaleConnections } from '../auth/sessions/sessions.ts';
import type { Deps } from '../deps.ts';
import { createTimedYield } from '../event-loop.ts';
import { createKeyedSemaphore } from '../locking/concurrency-limiter.ts';
import type { Audience } from '../realtime/bus.ts';
import {
	createEventStreamRegistry,
	type EventStream,
	type EventStreamRegistry,
	encodeEvent,
} from '../realtime/event-streams.ts';
import { createRecentEvents } from '../realtime/recent-events.ts';

const heartbeatEvent = encodeEvent({ topic: 'alive' });

/** Registers `GET /api/events`, which sends the user's events as server-sent events (HTML standard, section 9.2). */
export function registerEventStream(app: FastifyInstance, deps: Deps): void {
	const streams = createEventStreamRegistry();
	const recent = createRecentEvents(deps.clock);
	const streamSlots = createKeyedSemaphore(limits.eventStreamsPerUserMax);

	const endStale = () => {
		endStaleConnections(deps).catch((error: unknown) => deps.log.warn({ err: error }, 'ended sessions not looked up'));
	};

	const unsubscribe = deps.bus.subscribe((message) => {
		recent.record(message);
		if (message.kind === 'role') return applyRoleChange(streams, message);
		if (message.kind === 'resync' || message.kind === 'recheck') endStale();
		if (message.kind !== 'event' && message.kind !== 'resync') return;
		const { audience, event }: { audience: Audience; event: ServerEvent } =
			message.kind === 'resync' ? { audience: { to: 'everyone' }, event: { topic: 'resync' } } : message;
		const encoded = encodeEvent(event);
		for (const line of streams.of(audience)) line.send(encoded);
	});

	const sendHeartbeat = async () => {
		const turns = createTimedYield();
		for (const line of streams.of({ to: 'everyone' })) {
			line.send(heartbeatEvent);
			await turns();
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
		for (const line of streams.of({ to: 'everyone' })) line.end();
	});

	app.head(eventsPath, { config: { access: 'member', isForSetUp: true } }, async (_request, reply) =>
		reply.type('text/event-stream').send(),
	);
	app.get(
		eventsPath,
		{ config: { access: 'member', isForSetUp: true }, exposeHeadRoute: false },
		async (request, reply) => {
			const { actor } = request.caller;
			if (actor === null) throw new AppError('UNAUTHORIZED');
			const asked = eventsQuery.safeParse(request.query);
			if (!asked.success) throw new AppError('INVALID_INPUT');
			const leave = streamSlots.tryAcquire(actor.userId);
			if (leave === null) throw new AppError('TOO_MANY_OPEN');
			reply.hijack();
			// Without a response a proxy asks another process, and a browser reconnects.
			if (isClosing) {
				request.raw.socket.destroy();
				return leave();
			}
			// The client has disconnected: no `close` event will remove the stream.
			if (reply.raw.destroyed) return leave();
			const out = startEventStream(request, reply);
			const line: EventStream = {
				actor,
				send: (event) => out.write(event),
				end: () => {
					// Removed at once, not at 'close': writing to an ended response would be an unhandled error.
					streams.remove(line);
					reply.raw.end();
				},
			};
			streams.add(line);
			const { ageMs } = asked.data;
			if (ageMs !== undefined) for (const event of recent.of(actor, ageMs)) line.send(encodeEvent(event));
			const forget = deps.live.add({
				followsRole: true,
				...getConnectionKeys(actor),
				end: (reason) => {
					// The session continues with another impersonation: the browser refetches, and reconnects for the
					// other user's events.
					if (reason === 'view') line.send(encodeEvent({ topic: 'resync' }));
					// No event after a renewal: the browser opens the stream again with its new cookie.
					else if (reason !== 'renewed') line.send(encodeEvent({ topic: 'ended', reason }));
					line.end();
				},
			});
			reply.raw.once('close', () => {
				streams.remove(line);
				leave();
				forget();
			});
		},
	);
}

/**
 * Writes the head of a response that lasts until its connection closes. Without chunked encoding the bytes of an event
 * are the same for every client and are written to the socket directly.
 * @returns the stream to write events to
 */
function startEventStream(request: FastifyRequest, reply: FastifyReply): Writable {
	const { raw } = reply;
	raw.removeHeader('transfer-encoding');
	// Set all at once: headers that are set one by one stay in memory while the stream is open.
	const headers = reply.getHeaders() as OutgoingHttpHeaders;
	const own = { 'content-type': 'text/event-stream', connection: 'close', 'x-accel-buffering': 'no' };
	raw.writeHead(200, { ...headers, ...own });
	raw.write('retry: 1000\n\n');
	// The request's headers would stay in memory too and are no longer needed.
	request.raw.rawHeaders.length = 0;
	request.raw.headers = {};
	// A pipelined request has no socket yet: then the response passes the events on when its turn comes.
	return raw.socket ?? raw;
}

/** Gives the streams of a user the events of a new role, and makes them refetch; affected impersonations end. */
function applyRoleChange(lines: EventStreamRegistry, change: { userId: string; role: Role }): void {
	for (const line of [...lines.of({ to: 'everyone' })]) {
		const { userId, impersonatedBy: viewedBy } = line.actor;
		if (viewedBy !== null && (change.userId === userId || change.userId === viewedBy.userId)) {
			line.send(encodeEvent({ topic: 'resync' }));
			line.end();
		} else if (viewedBy === null && userId === change.userId) {
			lines.remove(line);
			line.actor = { ...line.actor, role: change.role };
			lines.add(line);
			line.send(encodeEvent({ topic: 'users' }));
		}
	}
}
