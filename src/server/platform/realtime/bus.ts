import type { Role } from '#contract/accounts/account.ts';
import type { ServerEvent } from '#contract/core/events.ts';

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
	| { kind: 'hint'; audience: Audience; hint: ServerEvent }
	| { kind: 'ended'; ended: EndedSessions }
	/** Somebody's role has changed: their open streams go on with the new one. */
	| { kind: 'role'; userId: string; role: Role }
	/** Somebody waits for a lease, or whoever held it has let go; see platform/leases. */
	| { kind: 'lease'; name: string; is: 'wanted' | 'free' }
	| { kind: 'resync' }
	/** Every so often, to each process from itself: what a message would have said that nobody sent is looked up. */
	| { kind: 'recheck' };

/**
 * Carries hints between the parts of one process, and between processes on PostgreSQL. Publish after the commit:
 * a hint tells others to look, so there must be something to see.
 */
export interface Bus {
	publish(message: BusMessage): void;
	/** To this process alone: for what every process finds out by itself. */
	publishLocally(message: BusMessage): void;
	subscribe(listener: (message: BusMessage) => void): () => void;
	/** Lets what was published go out first. */
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
		publishLocally: publish,
		subscribe: (listener) => {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		close: async () => listeners.clear(),
	};
}
