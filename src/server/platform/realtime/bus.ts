import type { Role } from '#contract/accounts/account.ts';
import type { ServerEvent } from '#contract/core/events.ts';

export type Audience =
	| { to: 'everyone' }
	| { to: 'admins' }
	| { to: 'user'; userId: string }
	/** The members of a group; each process sends the event to those who are connected to it (sharing/recipients.ts). */
	| { to: 'group'; groupId: string }
	/** A member and all admins, each once. */
	| { to: 'conversation'; userId: string };

/** Sessions that have ended; every process closes their open connections. */
export interface EndedSessions {
	userId: string;
	/** The ended sessions; all of the user's sessions when absent. */
	sessionIds?: string[];
	/**
	 * `renewed`: the session continues with a new token. Only connections with the old token are closed. `view`: the
	 * session continues, but with other access: another impersonation, another role, or a lost right.
	 */
	reason: 'logout' | 'deactivation' | 'password' | 'device' | 'expiry' | 'deletion' | 'renewed' | 'view';
}

export type BusMessage =
	| { kind: 'event'; audience: Audience; event: ServerEvent }
	| { kind: 'ended'; ended: EndedSessions }
	/** A user's role has changed. Open event streams of the user continue with the new role. */
	| { kind: 'role'; userId: string; role: Role }
	/** A process waits for a lease, or its owner has released it; see platform/locking/leases. */
	| { kind: 'lease'; name: string; is: 'wanted' | 'free' }
	/** Messages may have been lost, so subscribers read their state again. */
	| { kind: 'resync' }
	/**
	 * Published by each process to itself at intervals, which are shorter while messages may be missed. Subscribers check
	 * for changes whose message was lost.
	 */
	| { kind: 'recheck' };

/** Delivers messages within a process, and on PostgreSQL between processes. Publish after the commit. */
export interface Bus {
	publish(message: BusMessage): void;
	/** Publishes only to this process a change that each process detects by itself. */
	publishLocally(message: BusMessage): void;
	subscribe(listener: (message: BusMessage) => void): () => void;
	/** Sends pending messages, then closes the bus. */
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
