import { randomUUID } from 'node:crypto';
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { classifyDbError } from '../database/errors.ts';
import type { Log } from '../log.ts';
import { type Bus, type BusMessage, createLocalBus } from './bus.ts';

/** Channel of the messages; each is a {@link Notification} as JSON. */
const channel = 'folio';

interface Notification {
	/** Random id of the process that published the message. */
	from: string;
	message: BusMessage;
}

/** All message kinds of this version. Other kinds, which another version may send, are ignored. */
const messageKinds: Readonly<Record<BusMessage['kind'], true>> = {
	event: true,
	ended: true,
	role: true,
	resync: true,
	recheck: true,
	lease: true,
};

const reconnectAfterMs = 500;
const connectWithinMs = 5000;
const closeWithinMs = 2000;
/** Maximum number of notifications in one query. */
const batchSize = 200;
/** Maximum number of messages queued without a connection. Above it, one `resync` replaces the queue. */
const maxQueued = 10_000;

interface Timing {
	/** Interval of the queries that check the connection. */
	probeEveryMs?: number;
	/** A connection is closed if such a query has no response after this time. */
	answerWithinMs?: number;
}

interface BusConnection {
	client: pg.Client;
	/** Settles when the connection has ended for any reason. */
	ended: Promise<void>;
	/** Closes the connection without waiting for the server. */
	destroy(): void;
}

/**
 * Creates the bus of several processes over LISTEN/NOTIFY. Messages of this process are delivered to its subscribers
 * directly, and ignored when PostgreSQL returns them. After a lost connection every subscriber gets `resync`, because
 * the missed messages are unknown. A dead connection is detected by a query without a response.
 * @throws Error when the first connection fails; later connections are retried until one succeeds
 */
export async function createPostgresBus(
	url: string,
	log: Log,
	{ probeEveryMs = 5000, answerWithinMs = 5000 }: Timing = {},
): Promise<Bus> {
	const local = createLocalBus();
	const self = randomUUID();
	/** Unsent messages, oldest first; they are kept when the connection is lost. */
	const outgoing: string[] = [];
	const encode = (message: BusMessage) => JSON.stringify({ from: self, message } satisfies Notification);
	let sending: Promise<void> | null = null;
	let connection: BusConnection | null = null;
	let isClosed = false;

	function enqueue(message: BusMessage): void {
		if (outgoing.length >= maxQueued) {
			outgoing.length = 0;
			message = { kind: 'resync' };
		}
		outgoing.push(encode(message));
		send();
	}

	function send(): void {
		sending ??= sendAll();
	}

	async function sendAll(): Promise<void> {
		// Waits for the other messages of this tick, which are sent in the same query.
		await null;
		while (connection !== null && outgoing.length > 0) {
			const { client } = connection;
			const batch = outgoing.slice(0, batchSize);
			try {
				await notify(client, batch);
				outgoing.splice(0, batch.length);
			} catch (error) {
				if (isUndeliverable(error)) await sendOneByOne(client, batch.length);
				else {
					log.warn({ err: error }, 'bus messages not sent yet');
					await sleep(reconnectAfterMs, undefined, { ref: false });
				}
			}
		}
		sending = null;
	}

	/** Sends messages one by one until one can never be sent, and replaces that message by `resync`. */
	async function sendOneByOne(client: pg.Client, count: number): Promise<void> {
		for (let remaining = count; remaining > 0; remaining -= 1) {
			try {
				await notify(client, outgoing.slice(0, 1));
			} catch (error) {
				if (!isUndeliverable(error)) return;
				log.error({ err: error }, 'a bus message cannot be sent: other processes get resync instead');
				outgoing[0] = encode({ kind: 'resync' });
				return;
			}
			outgoing.shift();
		}
	}

	function onPayload(payload: string): void {
		try {
			const { from, message } = JSON.parse(payload) as Notification;
			if (from !== self && Object.hasOwn(messageKinds, message.kind)) local.publish(message);
		} catch (error) {
			// A malformed message, or an error of a subscriber, must not prevent later messages from being received.
			log.error({ err: error }, 'bus message not processed');
		}
	}

	/** Opens a new connection whenever the current one ends, until the bus is closed. */
	async function keepConnected(first: BusConnection): Promise<void> {
		for (let current: BusConnection | null = first; ; ) {
			if (current !== null) {
				connection = current;
				send();
				await probeUntilEnd(current);
				connection = null;
				if (!isClosed) log.warn('bus connection lost');
			}
			if (isClosed) return;
			await sleep(reconnectAfterMs);
			if (isClosed) return;
			current = await openBusConnection(url, onPayload, log).catch((error: unknown) => {
				log.warn({ error: (error as Error).message }, 'bus not connected');
				return null;
			});
			if (current !== null && isClosed) current.destroy();
			else if (current !== null) local.publish({ kind: 'resync' });
		}
	}

	async function probeUntilEnd({ client, ended, destroy }: BusConnection): Promise<void> {
		let deadline: NodeJS.Timeout | undefined;
		const probe = setInterval(() => {
			// The previous query still has no response, and its deadline is running.
			if (deadline !== undefined) return;
			deadline = setTimeout(destroy, answerWithinMs);
			const clearDeadline = () => {
				clearTimeout(deadline);
				deadline = undefined;
			};
			client.query('select 1').then(clearDeadline, clearDeadline);
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
			if (connection !== null && sending !== null)
				await Promise.race([sending, sleep(closeWithinMs, undefined, { ref: false })]);
			isClosed = true;
			const { client, destroy } = connection ?? {};
			if (client !== undefined && destroy !== undefined)
				await Promise.race([client.end(), sleep(closeWithinMs, undefined, { ref: false }).then(destroy)]);
			await connectionLoop;
			await local.close();
		},
	};
}

/** Sends messages in order in one transaction. PostgreSQL sends equal messages only once. */
async function notify(client: pg.Client, payloads: string[]): Promise<void> {
	await client.query('select pg_notify($1, text) from unnest($2::text[]) as told (text)', [channel, payloads]);
}

/** Whether a retry would also fail: the message exceeds 8,000 bytes, or has characters that this database lacks. */
function isUndeliverable(error: unknown): boolean {
	return classifyDbError(error) === 'unstorable';
}

/** @throws Error when the connection is not open within `connectWithinMs` */
async function openBusConnection(url: string, onPayload: (payload: string) => void, log: Log): Promise<BusConnection> {
	const socket = new Socket();
	const client = new pg.Client({
		connectionString: url,
		connectionTimeoutMillis: connectWithinMs,
		keepAlive: true,
		keepAliveInitialDelayMillis: 10_000,
		// Created here, so that the socket of a dead connection can be destroyed.
		stream: () => socket,
	});
	const ended = new Promise<void>((resolve) => {
		client.once('end', resolve);
	});
	// Only logged, because an 'end' event follows.
	client.on('error', (error) => log.debug({ error: error.message }, 'bus connection'));
	client.on('notification', ({ payload }) => onPayload(payload ?? ''));
	const timer = setTimeout(() => socket.destroy(), connectWithinMs);
	try {
		await client.connect();
		// Messages need not survive a power failure, so a commit does not wait for the disk or a standby server.
		await client.query(`set synchronous_commit = off; listen ${channel}`);
	} catch (error) {
		socket.destroy();
		throw error;
	} finally {
		clearTimeout(timer);
	}
	return { client, ended, destroy: () => socket.destroy() };
}
