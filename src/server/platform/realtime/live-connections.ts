import { setTimeout } from 'node:timers/promises';
import type { Role } from '#contract/accounts/account.ts';
import type { ServerEvent } from '#contract/core/events.ts';
import { yieldToEventLoop } from '../event-loop.ts';
import type { Log } from '../log.ts';
import type { Bus, EndedSessions } from './bus.ts';

/** Something that a session holds open: a stream, a download, an upload. */
export interface LiveConnection {
	sessionId: string;
	userId: string;
	/** Of that person, when it began or since their role was said to have changed. */
	role: Role;
	/** The member whose product the session shows: their end ends what is open, but not the session. */
	viewedUserId?: string | undefined;
	/** Takes a new role over by itself; anything else that an admin began ends with that role. */
	followsRole?: true;
	/** Looked at again whenever rights may have changed: what one may no longer read ends in the middle. */
	isStillAllowed?: (() => Promise<boolean>) | undefined;
	/** Called once when the session ends elsewhere. */
	end(reason: EndedSessions['reason']): void;
}

export type LiveConnectionSummary = Readonly<Pick<LiveConnection, 'sessionId' | 'userId' | 'role' | 'viewedUserId'>>;

/** Everything that sessions hold open on this process, so that an ended session loses it within a second. */
export interface LiveConnections {
	/** @returns a function that takes the connection off the list. */
	add(connection: LiveConnection): () => void;
	count(): number;
	/** What sessions hold open here, as it is now. */
	list(): LiveConnectionSummary[];
	/** Who is connected here, or is being viewed by somebody who is. */
	userIds(): string[];
	/** Closes what one session holds open here. */
	endSession(sessionId: string, reason: EndedSessions['reason']): void;
}

/** Hints after which somebody may read less than before. */
const accessTopics: ReadonlySet<string> = new Set(['shares', 'nodes', 'book-access', 'orders']);

function canRevokeAccess(hint: ServerEvent): boolean {
	// A conversation changes with every look at it: only its deletion takes anything away.
	return accessTopics.has(hint.topic) || (hint.topic === 'chat' && hint.isCleared === true);
}

/** However many changes there are, the rights of what is open are not looked at all the time. */
const recheckIntervalMs = 200;

/** Closes what an ended session holds, as soon as the bus says that it has ended. */
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
	/** One round at a time, with a pause after it: what changes meanwhile is looked at in the next. */
	async function lookAgain(): Promise<void> {
		isDue = true;
		if (isLooking) return;
		isLooking = true;
		while (isDue) {
			isDue = false;
			// Most are event streams, by the thousand, which nobody has to ask for.
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
		if (isDueForAll || (message.kind === 'hint' && canRevokeAccess(message.hint))) void lookAgain();
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
