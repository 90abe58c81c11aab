import { setTimeout } from 'node:timers/promises';
import type { Role } from '#contract/accounts/account.ts';
import type { ServerEvent } from '#contract/core/events.ts';
import { yieldToEventLoop } from '../event-loop.ts';
import type { Log } from '../log.ts';
import type { Bus, EndedSessions } from './bus.ts';

/** An open connection of a session: a stream, a download, an upload. */
export interface LiveConnection {
	sessionId: string;
	userId: string;
	/** Role of the user when the connection began, or after the last role event. */
	role: Role;
	/** The impersonated member. When all sessions of the member end, the connection is closed, but not the session. */
	viewedUserId?: string | undefined;
	/** Adopts a new role. A connection without this function is closed when the user is no longer an admin. */
	onRoleChange?: (role: Role) => void;
	/** Called whenever access may have changed. If it returns false, the connection is closed. */
	isStillAllowed?: (() => Promise<boolean>) | undefined;
	/** Closes the connection; called once when the session or the access ends. */
	end(reason: EndedSessions['reason']): void;
}

export type LiveConnectionSummary = Readonly<Pick<LiveConnection, 'sessionId' | 'userId' | 'role' | 'viewedUserId'>>;

/** The open connections of this process. Each is closed when its session ends. */
export interface LiveConnections {
	/** @returns a function that removes the connection. */
	add(connection: LiveConnection): () => void;
	count(): number;
	/**
	 * Number of bus messages received so far that may have ended a session or access to content. A caller reads it, checks
	 * session and access, registers a connection, and reads it again. If both values are equal, no check has to be
	 * repeated: each process sends such a message after it has committed the change, and a message that is received
	 * after the registration closes the connection. If a message is lost, the regular recheck finds the change.
	 */
	revocationCount(): number;
	list(): LiveConnectionSummary[];
	/** Returns the users with connections to this process, and the members whom they impersonate. */
	userIds(): string[];
	/** Closes the connections of one session in this process. */
	endSession(sessionId: string, reason: EndedSessions['reason']): void;
}

/** Topics of events that may end a user's access. */
const accessTopics: ReadonlySet<string> = new Set(['shares', 'nodes', 'book-access', 'orders']);

function canRevokeAccess(event: ServerEvent): boolean {
	// Chat events are frequent, but only the deletion of a conversation removes access.
	return accessTopics.has(event.topic) || (event.topic === 'chat' && event.isCleared === true);
}

/** Minimum time between two checks of the access of all connections. */
const recheckIntervalMs = 200;

/** Creates the registry, which closes the connections of a session as soon as the bus reports its end. */
export function createLiveConnections(bus: Bus, log: Log): LiveConnections {
	const connections = new Set<LiveConnection>();
	let revocationCount = 0;
	function endWhere(isAffected: (connection: LiveConnection) => boolean, reason: EndedSessions['reason']): void {
		for (const connection of [...connections].filter(isAffected)) {
			connections.delete(connection);
			connection.end(reason);
		}
	}

	let isChecking = false;
	let isRecheckDue = false;
	/** Checks all connections in rounds, with a pause after each. A change during a round starts another round. */
	async function recheckAccess(): Promise<void> {
		isRecheckDue = true;
		if (isChecking) return;
		isChecking = true;
		while (isRecheckDue) {
			isRecheckDue = false;
			// Event streams, of which there may be thousands, need no check.
			for (const connection of [...connections].filter(({ isStillAllowed }) => isStillAllowed !== undefined)) {
				await endIfAccessLost(connection);
				await yieldToEventLoop();
			}
			await setTimeout(recheckIntervalMs, undefined, { ref: false });
		}
		isChecking = false;
	}

	async function endIfAccessLost(connection: LiveConnection): Promise<void> {
		try {
			if (connection.isStillAllowed === undefined || (await connection.isStillAllowed())) return;
		} catch (error) {
			log.warn({ err: error }, 'the access of an open connection could not be checked: the connection is closed');
		}
		if (connections.delete(connection)) connection.end('view');
	}

	function applyRole(userId: string, role: Role): void {
		endWhere((connection) => connection.viewedUserId === userId, 'view');
		if (role !== 'admin')
			endWhere((connection) => connection.userId === userId && connection.onRoleChange === undefined, 'view');
		for (const connection of connections) {
			if (connection.userId !== userId) continue;
			connection.role = role;
			connection.onRoleChange?.(role);
		}
	}

	bus.subscribe((message) => {
		if (message.kind === 'lease' || (message.kind === 'event' && !canRevokeAccess(message.event))) return;
		revocationCount += 1;
		// A resync or recheck means that messages may have been missed.
		if (message.kind !== 'role' && message.kind !== 'ended') void recheckAccess();
		if (message.kind === 'role') applyRole(message.userId, message.role);
		if (message.kind !== 'ended') return;
		const { userId, sessionIds, reason } = message.ended;
		const isAffected = (connection: LiveConnection) =>
			connection.userId === userId && (sessionIds === undefined || sessionIds.includes(connection.sessionId));
		endWhere(isAffected, reason);
		if (sessionIds === undefined) endWhere((connection) => connection.viewedUserId === userId, 'view');
	});
	return {
		add(connection) {
			connections.add(connection);
			return () => connections.delete(connection);
		},
		count: () => connections.size,
		revocationCount: () => revocationCount,
		list: () =>
			[...connections].map(({ sessionId, userId, role, viewedUserId }) => ({ sessionId, userId, role, viewedUserId })),
		userIds: () => [
			...new Set([...connections].flatMap(({ userId, viewedUserId }) => [userId, viewedUserId ?? userId])),
		],
		endSession: (sessionId, reason) => endWhere((connection) => connection.sessionId === sessionId, reason),
	};
}
