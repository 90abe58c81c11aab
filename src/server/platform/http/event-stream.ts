import type { FastifyInstance } from 'fastify';
import type { Role } from '#contract/account/account.ts';
import { eventsPath, eventsQuery, type Hint } from '#contract/core/events.ts';
import { limits } from '#contract/core/limits.ts';
import { type Actor, liveKeysOf } from '../actor.ts';
import { AppError } from '../app-error.ts';
import { endStaleConnections } from '../auth/sessions.ts';
import type { Deps } from '../deps.ts';
import { createPlaces } from '../places.ts';
import { createRecentHints, isAddressed } from '../realtime/recent-hints.ts';
import { copyHeaders } from './headers.ts';

const heartbeatMs = 20_000;

interface Listener {
	actor: Actor;
	send(hint: Hint): void;
	end(): void;
}

/** `GET /api/events`: hints for the signed-in person as server-sent events (HTML standard, section 9.2). */
export function registerEventStream(app: FastifyInstance, deps: Deps): void {
	const listeners = new Set<Listener>();
	const recent = createRecentHints(deps.clock);
	const places = createPlaces(limits.eventLinesOfPersonMax);

	const endStale = () => {
		endStaleConnections(deps).catch((error: unknown) => deps.log.warn({ err: error }, 'ended sessions not looked up'));
	};

	const unsubscribe = deps.bus.subscribe((message) => {
		recent.keep(message);
		if (message.kind === 'ended') return;
		if (message.kind === 'role') {
			for (const listener of listeners) takeRole(listener, message);
			return;
		}
		if (message.kind === 'resync') endStale();
		const isFor = message.kind === 'resync' ? () => true : (actor: Actor) => isAddressed(message.audience, actor);
		const hint: Hint = message.kind === 'resync' ? { topic: 'resync' } : message.hint;
		for (const listener of listeners) if (isFor(listener.actor)) listener.send(hint);
	});

	const heartbeat = setInterval(() => {
		for (const { send } of listeners) send({ topic: 'alive' });
		endStale();
	}, heartbeatMs);
	heartbeat.unref();

	app.addHook('preClose', async () => {
		clearInterval(heartbeat);
		unsubscribe();
		for (const listener of [...listeners]) listener.end();
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
			copyHeaders(reply);
			reply.raw.writeHead(200, { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
			reply.raw.write('retry: 1000\n\n');
			const listener: Listener = {
				actor,
				send: (hint) => reply.raw.write(`data: ${JSON.stringify(hint)}\n\n`),
				end: () => {
					// At once, not at 'close': a hint written after the end would be an error nobody catches.
					listeners.delete(listener);
					reply.raw.end();
				},
			};
			listeners.add(listener);
			const { ageMs } = asked.data;
			if (ageMs !== undefined) for (const hint of recent.of(actor, ageMs)) listener.send(hint);
			const forget = deps.live.add({
				followsRole: true,
				...liveKeysOf(actor),
				end: (reason) => {
					// The session lives on as somebody else: the browser looks again, and comes back for the other's hints.
					if (reason === 'view') listener.send({ topic: 'resync' });
					// Without a word when it was renewed: the browser opens the stream again, with its new cookie.
					else if (reason !== 'renewed') listener.send({ topic: 'ended', reason });
					listener.end();
				},
			});
			reply.raw.once('close', () => {
				listeners.delete(listener);
				leave();
				forget();
			});
		},
	);
}

/** A person with another role hears what that role hears, and asks anew who they are; a view that it concerns is over. */
function takeRole(listener: Listener, change: { userId: string; role: Role }): void {
	const { userId, viewedBy } = listener.actor;
	if (viewedBy !== null) {
		if (change.userId !== userId && change.userId !== viewedBy.userId) return;
		listener.send({ topic: 'resync' });
		listener.end();
		return;
	}
	if (userId !== change.userId) return;
	listener.actor = { ...listener.actor, role: change.role };
	listener.send({ topic: 'users' });
}
