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
	/** The impersonated member, the end of whose access closes the connection but not the session. */
	viewedUserId?: string | undefined;
	/** Set if the connection adopts a new role by itself; other connections of an admin are closed with the role. */
	followsRole?: true;
	/** Called whenever access may have changed; the connection is closed if it returns false. */
	isStillAllowed?: (() => Promise<boolean>) | undefined;
	/** Called once when the session ends elsewhere. */
	end(reason: EndedSessions['reason']): void;
}

export type LiveConnectionSummary = Readonly<Pick<LiveConnection, 'sessionId' | 'userId' | 'role' | 'viewedUserId'>>;

/** The open connections of this process by session, which are closed within a second after the session ends. */
export interface LiveConnections {
	/** @returns a function that removes the connection. */
	add(connection: LiveConnection): () => void;
	count(): number;
	list(): LiveConnectionSummary[];
	/** Returns the users who are connected to this process, or impersonated by one who is. */
	userIds(): string[];
	/** Closes the connections of one session in this process. */
	endSession(sessionId: string, reason: EndedSessions['reason']): void;
}

/** Topics after which a user may be allowed to read less than before. */
const accessTopics: ReadonlySet<string> = new Set(['shares', 'nodes', 'book-access', 'orders']);

function canRevokeAccess(event: ServerEvent): boolean {
	// A conversation changes whenever it is viewed, but only its deletion removes access.
	return accessTopics.has(event.topic) || (event.topic === 'chat' && event.isCleared === true);
}

/** Access is checked again at most this often, however many changes there are. */
const recheckIntervalMs = 200;

/** Closes the connections of a session as soon as the bus reports its end. */
export function createLiveConnections(bus: Bus, log: Log): LiveConnections {
	const connections = new Set<LiveConnection>();
	function endWhere(isMeant: (connection: LiveConnection) => boolean, reason: EndedSessions['reason']): void {
		for (const connection of [...connections].filter(isMeant)) {
			connections.delete(connection);
			connection.end(reason);
		}
	}

	let isLooking = false;
	let isDue = false;
	/** Runs one round at a time, with a pause after it; changes during a round are checked in the next. */
	async function lookAgain(): Promise<void> {
		isDue = true;
		if (isLooking) return;
		isLooking = true;
		while (isDue) {
			isDue = false;
			// Most are event streams, thousands of them, which need no check.
			for (const connection of [...connections].filter(({ isStillAllowed: mayGoOn }) => mayGoOn !== undefined)) {
				await endWithoutRight(connection);
				await yieldToEventLoop();
			}
			await setTimeout(recheckIntervalMs, undefined, { ref: false });
		}
		isLooking = false;
	}

	async function endWithoutRight(connection: LiveConnection): Promise<void> {
		try {
			if (connection.isStillAllowed === undefined || (await connection.isStillAllowed())) return;
		} catch (error) {
			log.warn({ err: error }, 'the right of an open connection cannot be looked up: it ends');
		}
		if (connections.delete(connection)) connection.end('view');
	}

	function takeRole(userId: string, role: Role): void {
		if (role !== 'admin')
			endWhere((connection) => connection.userId === userId && connection.followsRole !== true, 'view');
		for (const connection of connections) if (connection.userId === userId) connection.role = role;
	}

	bus.subscribe((message) => {
		const isDueForAll = message.kind === 'resync' || message.kind === 'recheck';
		if (isDueForAll || (message.kind === 'event' && canRevokeAccess(message.event))) void lookAgain();
		if (message.kind === 'role') takeRole(message.userId, message.role);
		if (message.kind !== 'ended') return;
		const { userId, sessionIds, reason } = message.ended;
		const isMeant = (connection: LiveConnection) =>
			connection.userId === userId && (sessionIds === undefined || sessionIds.includes(connection.sessionId));
		endWhere(isMeant, reason);
		if (sessionIds === undefined) endWhere((connection) => connection.viewedUserId === userId, 'view');
	});
	return {
		add(connection) {
			connections.add(connection);
			return () => connections.delete(connection);
		},
		count: () => connections.size,
		list: () =>
			[...connections].map(({ sessionId, userId, role, viewedUserId }) => ({ sessionId, userId, role, viewedUserId })),
		userIds: () => [
			...new Set([...connections].flatMap(({ userId, viewedUserId }) => [userId, viewedUserId ?? userId])),
		],
		endSession: (sessionId, reason) => endWhere((connection) => connection.sessionId === sessionId, reason),
	};
}
