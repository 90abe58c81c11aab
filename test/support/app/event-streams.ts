import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { expect } from 'vitest';
import type { ServerEvent } from '#contract/core/events.ts';
import type { Deps } from '#server/platform/deps.ts';

/** Makes the app listen on a free port. @returns its address */
export async function listen(app: FastifyInstance): Promise<string> {
	await app.listen({ host: '127.0.0.1', port: 0 });
	return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}

/**
 * Events must arrive within a second; the rest is a margin for a busy machine. Without an event, a connection notices
 * a change only after `heartbeatIntervalMs` or later, so a test that waits this long still fails if no event was sent.
 */
export const secondWithMarginMs = 8000;

/** An open event stream, as one browser tab holds it. */
export interface OpenEventStream {
	response: IncomingMessage;
	/** Every event received so far, except `alive`, which the server sends regularly and which reports no change. */
	events: ServerEvent[];
	/** Settles when the server has closed the stream. */
	closed: Promise<void>;
	/** Waits for an event with this topic. @throws Error when none arrives within `secondWithMarginMs` */
	waitFor(topic: ServerEvent['topic']): Promise<ServerEvent>;
	close(): void;
}

/**
 * Opens `GET /api/events` and collects its events. With `ageMs`, the server first sends the events of the last `ageMs`
 * milliseconds.
 */
export async function openEventStream(url: string, cookie: string, ageMs?: number): Promise<OpenEventStream> {
	const query = ageMs === undefined ? '' : `?ageMs=${ageMs}`;
	const request = get(`${url}/api/events${query}`, { headers: { cookie } });
	const [response] = (await once(request, 'response')) as [IncomingMessage];
	const events: ServerEvent[] = [];
	response.setEncoding('utf8');
	response.on('data', (text: string) => {
		for (const [, data] of text.matchAll(/^data: (.*)$/gmu)) {
			const event = JSON.parse(data ?? '') as ServerEvent;
			if (event.topic !== 'alive') events.push(event);
		}
	});
	response.on('error', () => {});
	const closed = new Promise<void>((resolve) => {
		response.once('close', resolve);
	});
	return {
		response,
		events,
		closed,
		async waitFor(topic) {
			const giveUpAt = performance.now() + secondWithMarginMs;
			for (;;) {
				const found = events.find((event) => event.topic === topic);
				if (found !== undefined) return found;
				if (performance.now() >= giveUpAt) throw new Error(`No event ${topic} came: ${JSON.stringify(events)}`);
				await new Promise((resolve) => setTimeout(resolve, 10));
			}
		},
		close: () => request.destroy(),
	};
}

/** Waits for `work`, which must finish within a second. @throws Error when it takes longer than `secondWithMarginMs` */
export function requireWithinASecond<T>(work: Promise<T>, what: string): Promise<T> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<never>((_resolve, reject) => {
		timer = setTimeout(
			() => reject(new Error(`${what}: not within a second, nor within ${secondWithMarginMs} ms`)),
			secondWithMarginMs,
		);
	});
	return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/**
 * Publishes one more event to all users and waits until each of these streams has received it. All events published
 * before have arrived by then, and an event that has not arrived was not sent.
 * @returns what each stream has received, without that event
 */
export async function drainEventStreams(
	{ bus }: Pick<Deps, 'bus'>,
	streams: readonly OpenEventStream[],
): Promise<ServerEvent[][]> {
	const last: ServerEvent = { topic: 'reading', document: randomUUID() };
	bus.publish({ kind: 'event', audience: { to: 'everyone' }, event: last });
	const isLast = (each: ServerEvent) => each.topic === 'reading' && each.document === last.document;
	await Promise.all(streams.map(({ events }) => expect.poll(() => events.some(isLast)).toBe(true)));
	return streams.map(({ events }) => events.filter((each) => !isLast(each)));
}
