import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { expect } from 'vitest';
import type { ServerEvent } from '#contract/core/events.ts';
import type { Deps } from '#server/platform/deps.ts';

export async function listen(app: FastifyInstance): Promise<string> {
	await app.listen({ host: '127.0.0.1', port: 0 });
	return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}

/**
 * Events must arrive within a second; the rest is a margin for a busy machine. The sum must be shorter than
 * `heartbeatIntervalMs`, because the server also checks sessions at each heartbeat.
 */
export const secondWithMarginMs = 8000;

/** Opens `GET /api/events` like a browser tab. With `ageMs`, the server first sends events of the last `ageMs` ms. */
export async function openEventStream(url: string, cookie: string, ageMs?: number) {
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
		/** Every event received so far, except the regular `alive` events. */
		events,
		closed,
		/** Waits for an event with this topic. @throws Error when none arrives within `secondWithMarginMs` */
		async waitFor(topic: ServerEvent['topic']): Promise<ServerEvent> {
			const find = () => events.find((event) => event.topic === topic);
			await expect.poll(find, { timeout: secondWithMarginMs, message: `the event ${topic}` }).toBeDefined();
			return find() as ServerEvent;
		},
		close: () => request.destroy(),
	};
}

/** Waits for `work`. @throws Error with the text `what` when `work` takes longer than {@link secondWithMarginMs} */
export function requireWithinASecond<T>(work: Promise<T>, what: string): Promise<T> {
	const late = sleep(secondWithMarginMs, undefined, { ref: false }).then(() => {
		throw new Error(`${what}: not within a second, nor within ${secondWithMarginMs} ms`);
	});
	return Promise.race([work, late]);
}

/**
 * Waits until each stream has received all events published so far: publishes a marker event to all users and waits for
 * the marker. An event that has not arrived by then was not sent to the stream.
 * @returns the events of each stream, without the marker
 */
export async function drainEventStreams(
	{ bus }: Pick<Deps, 'bus'>,
	streams: ReadonlyArray<Awaited<ReturnType<typeof openEventStream>>>,
): Promise<ServerEvent[][]> {
	const last: ServerEvent = { topic: 'reading', document: randomUUID() };
	bus.publish({ kind: 'event', audience: { to: 'everyone' }, event: last });
	const isLast = (event: ServerEvent) => event.topic === 'reading' && event.document === last.document;
	await Promise.all(streams.map(({ events }) => expect.poll(() => events.some(isLast)).toBe(true)));
	return streams.map(({ events }) => events.filter((event) => !isLast(event)));
}
