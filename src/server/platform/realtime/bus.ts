import type { Role } from '#contract/accounts/account.ts';
import type { ServerEvent } from '#contract/core/events.ts';

export type Audience =
	| { to: 'everyone' }
	| { to: 'admins' }
	| { to: 'user'; userId: string }
	/** A member and every admin, each once. */
	| { to: 'conversation'; userId: string };

/** Sessions that have ended; their open connections are closed on every process. */
export interface EndedSessions {
	userId: string;
	/** Only these sessions; all of the user's when absent. */
	sessionIds?: string[];
	/**
	 * `renewed`: the session continues with a new token; only connections opened with the old one are closed. `view`:
	 * it continues with another impersonation, or restricted to the set-up of two-factor sign-in.
	 */
	reason: 'logout' | 'deactivation' | 'password' | 'device' | 'expiry' | 'deletion' | 'renewed' | 'view';
}

export type BusMessage =
	| { kind: 'event'; audience: Audience; event: ServerEvent }
	| { kind: 'ended'; ended: EndedSessions }
	/** A user's role has changed: their open streams continue with the new one. */
	| { kind: 'role'; userId: string; role: Role }
	/** A process waits for a lease, or its holder has released it; see platform/locking/leases. */
	| { kind: 'lease'; name: string; is: 'wanted' | 'free' }
	| { kind: 'resync' }
	/** Sent by each process to itself at intervals, to read state again in case an event was lost. */
	| { kind: 'recheck' };

/** Carries events within a process, and between processes on PostgreSQL. Publish after the commit. */
export interface Bus {
	publish(message: BusMessage): void;
	/** Publishes to this process only, for changes that every process detects by itself. */
	publishLocally(message: BusMessage): void;
	subscribe(listener: (message: BusMessage) => void): () => void;
	/** Closes the bus after sending the messages that were published. */
	close(): Promise<void>;
}

export function createLocalBus(): Bus {
	const listeners = new Set<(message: BusMessage) => void>();
	const publish = (message: BusMessage) => {
		for (const listener of listeners) listener(message);
	};
	return {
		publish,
		publishLocally: publish,
		subscribe: (listener) => {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		close: async () => listeners.clear(),
	};
}
