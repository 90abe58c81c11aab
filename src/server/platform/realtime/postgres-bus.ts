import { randomUUID } from 'node:crypto';
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../log.ts';
import { type Bus, createLocalBus } from './bus.ts';
import { channel, chunkChannel, createReceiver, encodeMessage, type Payload } from './bus-payloads.ts';

const reconnectAfterMs = 500;
const connectWithinMs = 5000;
const closeWithinMs = 2000;
/** Most notifications in one query. */
const batchSize = 200;
/** How many events are queued while the connection is lost; after more of them everything is refetched anyway. */
const maxQueued = 10_000;

interface Timing {
	/** Interval of the queries that check the connection. */
	probeEveryMs?: number;
	/** A connection without an answer for this long is closed. */
	answerWithinMs?: number;
}

interface BusConnection {
	client: pg.Client;
	/** Settles when the connection has ended for any reason. */
	ended: Promise<void>;
	/** Closes the connection without waiting for the server. */
	destroy(): void;
}

/** Messages to send to the other processes: the notifications of each. */
type Outgoing = Payload[];

/**
 * The bus of several processes over LISTEN/NOTIFY. Own messages are delivered at once and their echo is dropped; after
 * a lost connection every listener gets `resync`, because what was missed is unknown. A connection that died silently
 * is detected by a query without an answer.
 * @throws Error when the first connection fails; later ones are retried until they succeed
 */
export async function createPostgresBus(
	url: string,
	log: Log,
	{ probeEveryMs = 5000, answerWithinMs = 5000 }: Timing = {},
): Promise<Bus> {
	const local = createLocalBus();
	const self = randomUUID();
	const receiver = createReceiver();
	/** Sent in this order, also after a lost connection. */
	const outgoing: Outgoing[] = [];
	let sent = 0;
	let sending: Promise<void> | null = null;
	let line: BusConnection | null = null;
	let isClosed = false;

	function enqueue(message: Parameters<Bus['publish']>[0]): void {
		if (outgoing.length >= maxQueued) {
			outgoing.length = 0;
			message = { kind: 'resync' };
		}
		outgoing.push(encodeMessage(self, ++sent, message));
		send();
	}

	function send(): void {
		sending ??= sendAll();
	}

	async function sendAll(): Promise<void> {
		// Messages of the same tick are sent together.
		await null;
		while (line !== null && outgoing.length > 0) {
			const { client } = line;
			const some = nextBatch(outgoing);
			try {
				await notify(client, some.flat());
				outgoing.splice(0, some.length);
			} catch (error) {
				if (isUndeliverable(error)) await sendOneByOne(client, some.length);
				else {
					log.warn({ err: error }, 'bus messages wait');
					await sleep(reconnectAfterMs, undefined, { ref: false });
				}
			}
		}
		sending = null;
	}

	/** Sends messages one by one, because one of them can never be sent and must not block the others. */
	async function sendOneByOne(client: pg.Client, count: number): Promise<void> {
		for (let left = count; left > 0; left -= 1) {
			try {
				await notify(client, outgoing[0] ?? []);
			} catch (error) {
				if (!isUndeliverable(error)) return;
				log.error({ err: error }, 'a bus message cannot be told: the others look at everything again');
				outgoing[0] = encodeMessage(self, ++sent, { kind: 'resync' });
				return;
			}
			outgoing.shift();
		}
	}

	function onPayload(payload: Payload): void {
		try {
			const received = receiver.receive(payload);
			if (received !== null && received.from !== self) local.publish(received.message);
		} catch (error) {
			// A message of another version, or an error of a subscriber: later messages are still received.
			log.error({ err: error }, 'bus message not understood');
		}
	}

	/** Keeps a connection, and opens the next one when it ends, until the bus is closed. */
	async function keepConnected(first: BusConnection): Promise<void> {
		for (let current: BusConnection | null = first; ; ) {
			if (current !== null) {
				line = current;
				send();
				await probeUntilEnd(current);
				line = null;
				if (!isClosed) log.warn('bus connection lost');
			}
			if (isClosed) return;
			await sleep(reconnectAfterMs);
			if (isClosed) return;
			receiver.reset();
			current = await openBusConnection(url, onPayload, log).catch((error: unknown) => {
				log.warn({ error: (error as Error).message }, 'bus not connected');
				return null;
			});
			if (current !== null && isClosed) current.destroy();
			else if (current !== null) local.publish({ kind: 'resync' });
		}
	}

	async function probeUntilEnd({ client, ended, destroy: cut }: BusConnection): Promise<void> {
		let deadline: NodeJS.Timeout | undefined;
		const probe = setInterval(() => {
			// The last check is still unanswered and has its own deadline.
			if (deadline !== undefined) return;
			deadline = setTimeout(cut, answerWithinMs);
			const answered = () => {
				clearTimeout(deadline);
				deadline = undefined;
			};
			client.query('select 1').then(answered, answered);
		}, probeEveryMs);
		probe.unref();
		await ended;
		clearInterval(probe);
		clearTimeout(deadline);
	}

	const first = await openBusConnection(url, onPayload, log);
	const connectionLoop = keepConnected(first);
	return {
		publish: (message) => {
			local.publish(message);
			if (!isClosed) enqueue(message);
		},
		publishLocally: local.publish,
		subscribe: local.subscribe,
		close: async () => {
			if (line !== null && sending !== null)
				await Promise.race([sending, sleep(closeWithinMs, undefined, { ref: false })]);
			isClosed = true;
			const { client, destroy: cut } = line ?? {};
			if (client !== undefined && cut !== undefined)
				await Promise.race([client.end(), sleep(closeWithinMs, undefined, { ref: false }).then(cut)]);
			await connectionLoop;
			await local.close();
		},
	};
}

/** Returns whole messages with a limited number of notifications, at least one message. */
function nextBatch(outgoing: Outgoing[]): Outgoing[] {
	let payloads = 0;
	const end = outgoing.findIndex((each) => {
		payloads += each.length;
		return payloads > batchSize;
	});
	return outgoing.slice(0, end === -1 ? undefined : Math.max(end, 1));
}

/** Sends messages in one transaction: all or none, in this order; equal ones are sent once. */
async function notify(client: pg.Client, payloads: Payload[]): Promise<void> {
	await client.query('select pg_notify(channel, text) from unnest($1::text[], $2::text[]) as told (channel, text)', [
		payloads.map((payload) => payload.channel),
		payloads.map((payload) => payload.text),
	]);
}

/** Class 22, data exception: a text that this database cannot store; a retry would not help. */
function isUndeliverable(error: unknown): boolean {
	return /^22\w{3}$/u.test((error as { code?: string }).code ?? '');
}

/** @throws Error when it is not connected within some seconds */
async function openBusConnection(url: string, hear: (payload: Payload) => void, log: Log): Promise<BusConnection> {
	const socket = new Socket();
	const client = new pg.Client({
		connectionString: url,
		connectionTimeoutMillis: connectWithinMs,
		keepAlive: true,
		keepAliveInitialDelayMillis: 10_000,
		// Created here, so that a connection without answers can be destroyed.
		stream: () => socket,
	});
	const ended = new Promise<void>((resolve) => {
		client.once('end', resolve);
	});
	// Reported by the 'end' event that follows.
	client.on('error', (error) => log.debug({ error: error.message }, 'bus connection'));
	client.on('notification', (told) => hear({ channel: told.channel, text: told.payload ?? '' }));
	const timer = setTimeout(() => socket.destroy(), connectWithinMs);
	try {
		await client.connect();
		// Events need not survive a power cut, so the commit waits for no disk and no standby.
		await client.query(`set synchronous_commit = off; listen ${channel}; listen ${chunkChannel}`);
	} catch (error) {
		socket.destroy();
		throw error;
	} finally {
		clearTimeout(timer);
	}
	return { client, ended, destroy: () => socket.destroy() };
}
