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
import { createKeyedSemaphore } from '../locking/keyed-semaphore.ts';
import type { Audience } from '../realtime/bus.ts';
import {
	createEventStreamRegistry,
	type EventStream,
	type EventStreamRegistry,
	encodeEvent,
} from '../realtime/event-streams.ts';
import { createRecentEvents } from '../realtime/recent-events.ts';

const heartbeatEvent = encodeEvent({ topic: 'alive' });

/** `GET /api/events`: hints for the signed-in person as server-sent events (HTML standard, section 9.2). */
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
		if (message.kind !== 'hint' && message.kind !== 'resync') return;
		const { audience, hint }: { audience: Audience; hint: ServerEvent } =
			message.kind === 'resync' ? { audience: { to: 'everyone' }, hint: { topic: 'resync' } } : message;
		const event = encodeEvent(hint);
		for (const line of streams.of(audience)) line.send(event);
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
			// Without an answer a proxy asks another process, and a browser tries again.
			if (isClosing) {
				request.raw.socket.destroy();
				return leave();
			}
			// Gone while it was looked up who they are: nothing would take the line off again.
			if (reply.raw.destroyed) return leave();
			const out = startEventStream(request, reply);
			const line: EventStream = {
				actor,
				send: (event) => out.write(event),
				end: () => {
					// At once, not at 'close': a hint written after the end would be an error nobody catches.
					streams.remove(line);
					reply.raw.end();
				},
			};
			streams.add(line);
			const { ageMs } = asked.data;
			if (ageMs !== undefined) for (const hint of recent.of(actor, ageMs)) line.send(encodeEvent(hint));
			const forget = deps.live.add({
				followsRole: true,
				...getConnectionKeys(actor),
				end: (reason) => {
					// The session lives on as somebody else: the browser looks again, and comes back for the other's hints.
					if (reason === 'view') line.send(encodeEvent({ topic: 'resync' }));
					// Without a word when it was renewed: the browser opens the stream again, with its new cookie.
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
 * Writes the head of a stream that goes on until its connection ends. Without chunks an event is the same bytes for
 * everybody, which go to the connection itself.
 * @returns where events are written
 */
function startEventStream(request: FastifyRequest, reply: FastifyReply): Writable {
	const { raw } = reply;
	raw.removeHeader('transfer-encoding');
	// All at once: headers set one by one would be kept for as long as the stream is open.
	const headers = reply.getHeaders() as OutgoingHttpHeaders;
	const own = { 'content-type': 'text/event-stream', connection: 'close', 'x-accel-buffering': 'no' };
	raw.writeHead(200, { ...headers, ...own });
	raw.write('retry: 1000\n\n');
	// So would what the browser said of itself, which nobody asks for any more.
	request.raw.rawHeaders.length = 0;
	request.raw.headers = {};
	// None yet when requests were sent one behind the other: the answer passes it on in its turn.
	return raw.socket ?? raw;
}

/** A person with another role hears what that role hears, and asks anew who they are; a view that it concerns is over. */
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
