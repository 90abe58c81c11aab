import type { OutgoingHttpHeaders } from 'node:http';
import type { Writable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Role } from '#contract/account/account.ts';
import { aliveEveryMs, eventsPath, eventsQuery, type Hint } from '#contract/core/events.ts';
import { limits } from '#contract/core/limits.ts';
import { liveKeysOf } from '../actor.ts';
import { AppError } from '../app-error.ts';
import { endStaleConnections } from '../auth/sessions.ts';
import type { Deps } from '../deps.ts';
import { createPlaces } from '../places.ts';
import type { Audience } from '../realtime/bus.ts';
import { createEventLines, type EventLine, type EventLines, eventOf } from '../realtime/event-lines.ts';
import { createRecentHints } from '../realtime/recent-hints.ts';
import { turnsByTime } from '../turns.ts';

const alive = eventOf({ topic: 'alive' });

/** `GET /api/events`: hints for the signed-in person as server-sent events (HTML standard, section 9.2). */
export function registerEventStream(app: FastifyInstance, deps: Deps): void {
	const lines = createEventLines();
	const recent = createRecentHints(deps.clock);
	const places = createPlaces(limits.eventLinesOfPersonMax);

	const endStale = () => {
		endStaleConnections(deps).catch((error: unknown) => deps.log.warn({ err: error }, 'ended sessions not looked up'));
	};

	const unsubscribe = deps.bus.subscribe((message) => {
		recent.keep(message);
		if (message.kind === 'role') return takeRole(lines, message);
		if (message.kind === 'resync' || message.kind === 'recheck') endStale();
		if (message.kind !== 'hint' && message.kind !== 'resync') return;
		const { audience, hint }: { audience: Audience; hint: Hint } =
			message.kind === 'resync' ? { audience: { to: 'everyone' }, hint: { topic: 'resync' } } : message;
		const event = eventOf(hint);
		for (const line of lines.of(audience)) line.send(event);
	});

	const beat = async () => {
		const turns = turnsByTime();
		for (const line of lines.of({ to: 'everyone' })) {
			line.send(alive);
			await turns();
		}
	};
	const heartbeat = setInterval(() => {
		void beat();
		deps.bus.publishHere({ kind: 'recheck' });
	}, aliveEveryMs);
	heartbeat.unref();

	let isClosing = false;
	app.addHook('preClose', async () => {
		isClosing = true;
		clearInterval(heartbeat);
		unsubscribe();
		for (const line of lines.of({ to: 'everyone' })) line.end();
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
			const leave = places.take(actor.userId);
			if (leave === null) throw new AppError('TOO_MANY_OPEN');
			reply.hijack();
			// Without an answer a proxy asks another process, and a browser tries again.
			if (isClosing) {
				request.raw.socket.destroy();
				return leave();
			}
			// Gone while it was looked up who they are: nothing would take the line off again.
			if (reply.raw.destroyed) return leave();
			const out = beginStream(request, reply);
			const line: EventLine = {
				actor,
				send: (event) => out.write(event),
				end: () => {
					// At once, not at 'close': a hint written after the end would be an error nobody catches.
					lines.remove(line);
					reply.raw.end();
				},
			};
			lines.add(line);
			const { ageMs } = asked.data;
			if (ageMs !== undefined) for (const hint of recent.of(actor, ageMs)) line.send(eventOf(hint));
			const forget = deps.live.add({
				followsRole: true,
				...liveKeysOf(actor),
				end: (reason) => {
					// The session lives on as somebody else: the browser looks again, and comes back for the other's hints.
					if (reason === 'view') line.send(eventOf({ topic: 'resync' }));
					// Without a word when it was renewed: the browser opens the stream again, with its new cookie.
					else if (reason !== 'renewed') line.send(eventOf({ topic: 'ended', reason }));
					line.end();
				},
			});
			reply.raw.once('close', () => {
				lines.remove(line);
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
function beginStream(request: FastifyRequest, reply: FastifyReply): Writable {
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
function takeRole(lines: EventLines, change: { userId: string; role: Role }): void {
	for (const line of [...lines.of({ to: 'everyone' })]) {
		const { userId, viewedBy } = line.actor;
		if (viewedBy !== null && (change.userId === userId || change.userId === viewedBy.userId)) {
			line.send(eventOf({ topic: 'resync' }));
			line.end();
		} else if (viewedBy === null && userId === change.userId) {
			lines.remove(line);
			line.actor = { ...line.actor, role: change.role };
			lines.add(line);
			line.send(eventOf({ topic: 'users' }));
		}
	}
}
