import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Role } from '#contract/account/account.ts';
import type { Hint } from '#contract/core/events.ts';
import type { Log } from '../log.ts';

/** Whom a hint is for. */
export type Audience =
	| { to: 'everyone' }
	| { to: 'admins' }
	| { to: 'user'; userId: string }
	/** A member and every admin, each once. */
	| { to: 'conversation'; userId: string };

/** Sessions that have ended; whatever they still hold open is closed on every process. */
export interface EndedSessions {
	userId: string;
	/** Only these sessions; all of the person's when absent. */
	sessionIds?: string[];
	/**
	 * `renewed`: the session goes on with a new token; only what was opened with the old one is closed. `view`: it goes
	 * on, and shows the product as somebody else sees it, or the set-up of two-factor sign-in alone, from now on.
	 */
	reason: 'logout' | 'deactivation' | 'password' | 'device' | 'expiry' | 'deletion' | 'renewed' | 'view';
}

export type BusMessage =
	| { kind: 'hint'; audience: Audience; hint: Hint }
	| { kind: 'ended'; ended: EndedSessions }
	/** Somebody's role has changed: their open streams go on with the new one. */
	| { kind: 'role'; userId: string; role: Role }
	| { kind: 'resync' };

/**
 * Carries hints between the parts of one process, and between processes on PostgreSQL. Publish after the commit:
 * a hint tells others to look, so there must be something to see.
 */
export interface Bus {
	publish(message: BusMessage): void;
	/** To this process alone: for what every process finds out by itself. */
	publishHere(message: BusMessage): void;
	subscribe(listener: (message: BusMessage) => void): () => void;
	close(): Promise<void>;
}

/** The bus of a single process. */
export function createLocalBus(): Bus {
	const listeners = new Set<(message: BusMessage) => void>();
	const publish = (message: BusMessage) => {
		for (const listener of listeners) listener(message);
	};
	return {
		publish,
		publishHere: publish,
		subscribe: (listener) => {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		close: async () => listeners.clear(),
	};
}

const channel = 'folio';
const reconnectAfterMs = 500;

/**
 * The bus of many processes over LISTEN/NOTIFY. Own messages are delivered at once and their echo is dropped; after a
 * lost connection everybody hears `resync`, because what was missed is unknown.
 */
export async function createPostgresBus(url: string, log: Log): Promise<Bus> {
	const local = createLocalBus();
	const self = randomUUID();
	/** Told to the other processes in this order, across a lost connection too. */
	const outgoing: string[] = [];
	let isSending = false;
	let client: pg.Client | null = null;
	let isClosed = false;

	async function send(): Promise<void> {
		if (isSending) return;
		isSending = true;
		try {
			while (client !== null && outgoing[0] !== undefined) {
				await client.query('select pg_notify($1, $2)', [channel, outgoing[0]]);
				outgoing.shift();
			}
		} catch (error) {
			log.warn({ err: error }, 'bus message waits for a connection');
		} finally {
			isSending = false;
		}
	}

	async function connect(): Promise<void> {
		const next = new pg.Client({ connectionString: url });
		next.on('error', (error) => log.warn({ error: error.message }, 'bus connection lost'));
		next.on('end', () => {
			if (client === next) client = null;
			if (!isClosed) setTimeout(reconnect, reconnectAfterMs);
		});
		next.on('notification', ({ payload }) => {
			const { from, message } = JSON.parse(payload ?? '{}') as { from: string; message: BusMessage };
			if (from !== self) local.publish(message);
		});
		await next.connect();
		await next.query(`listen ${channel}`);
		client = next;
		void send();
	}

	function reconnect(): void {
		if (isClosed) return;
		connect().then(
			() => local.publish({ kind: 'resync' }),
			() => setTimeout(reconnect, reconnectAfterMs),
		);
	}

	await connect();
	return {
		publish: (message) => {
			local.publish(message);
			outgoing.push(JSON.stringify({ from: self, message }));
			void send();
		},
		publishHere: local.publish,
		subscribe: local.subscribe,
		close: async () => {
			isClosed = true;
			await client?.end();
			await local.close();
		},
	};
}
