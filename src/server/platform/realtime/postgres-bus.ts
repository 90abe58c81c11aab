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

/** Interval of the rechecks while messages may be missed. */
const recheckEveryMs = 500;
/** Messages that are not confirmed after this time are also sent by the pool. */
const confirmWithinMs = 1000;

interface Options {
	pool?: pg.Pool | null;
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
 * the missed messages are unknown. A dead connection is detected by a query without a response; while it has none, and
 * until a new connection is open, subscribers get `recheck`, so that they find ended sessions and rights in the database.
 * @throws Error when the first connection fails; later connections are retried until one succeeds
 */
export async function createPostgresBus(
	url: string,
	log: Log,
	{ pool = null, probeEveryMs = 500, answerWithinMs = 2500 }: Options = {},
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
				await notifyInTime(client, batch);
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

	/** Sends messages, by the pool too if the connection does not confirm them: other processes may have to end a session. */
	async function notifyInTime(client: pg.Client, batch: string[]): Promise<void> {
		const sent = notify(client, batch);
		const isSent = await Promise.race([sent.then(() => true), sleep(confirmWithinMs, false, { ref: false })]);
		if (!isSent) await Promise.race(pool === null ? [sent] : [sent, notify(pool, batch)]);
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
			current = await recheckUntil(openBusConnection(url, onPayload, log)).catch((error: unknown) => {
				log.warn({ error: (error as Error).message }, 'bus not connected');
				// While the database is down, access can neither change nor be checked.
				if (classifyDbError(error) !== 'gone') local.publish({ kind: 'recheck' });
				return null;
			});
			if (current !== null && isClosed) current.destroy();
			else if (current !== null) local.publish({ kind: 'resync' });
		}
	}

	async function probeUntilEnd({ client, ended, destroy }: BusConnection): Promise<void> {
		// A signal, because each `Promise.race` with `ended` would stay in memory until the connection ends.
		const end = new AbortController();
		void ended.then(() => end.abort());
		for (;;) {
			await sleep(probeEveryMs, undefined, { ref: false, signal: end.signal }).catch(() => {});
			if (end.signal.aborted) return;
			let isPending = true;
			// Checked after the next read from the socket: if this process was suspended, the response may have arrived.
			const deadline = setTimeout(() => setImmediate(() => isPending && destroy()), answerWithinMs);
			await recheckUntil(client.query('select 1')).catch(() => {});
			isPending = false;
			clearTimeout(deadline);
		}
	}

	/** Publishes `recheck` at intervals to this process until `work` ends, because messages may be missed meanwhile. */
	function recheckUntil<T>(work: Promise<T>): Promise<T> {
		const timer = setInterval(() => local.publish({ kind: 'recheck' }), recheckEveryMs);
		timer.unref();
		return work.finally(() => clearInterval(timer));
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
async function notify(client: pg.Client | pg.Pool, payloads: string[]): Promise<void> {
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
