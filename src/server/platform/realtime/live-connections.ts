import type { Bus, EndedSessions } from './bus.ts';

/** Something that a session holds open: a stream, a download, an upload. */
export interface LiveConnection {
	sessionId: string;
	userId: string;
	/** The member whose product the session shows: their end ends what is open, but not the session. */
	viewedUserId?: string | undefined;
	/** Takes a new role over by itself; anything else that an admin began ends with that role. */
	followsRole?: true;
	/** Called once when the session ends elsewhere. */
	end(reason: EndedSessions['reason']): void;
}

/** Everything that sessions hold open on this process, so that an ended session loses it within a second. */
export interface LiveConnections {
	/** @returns a function that takes the connection off the list. */
	add(connection: LiveConnection): () => void;
	count(): number;
	/** Sessions that hold something open here. */
	sessionIds(): string[];
	/** Closes what one session holds open here. */
	endSession(sessionId: string, reason: EndedSessions['reason']): void;
}

/** Closes what an ended session holds, as soon as the bus says that it has ended. */
export function createLiveConnections(bus: Bus): LiveConnections {
	const connections = new Set<LiveConnection>();
	function endWhere(isMeant: (connection: LiveConnection) => boolean, reason: EndedSessions['reason']): void {
		for (const connection of [...connections].filter(isMeant)) {
			connections.delete(connection);
			connection.end(reason);
		}
	}

	bus.subscribe((message) => {
		if (message.kind === 'role' && message.role !== 'admin')
			endWhere(({ userId, followsRole }) => userId === message.userId && followsRole !== true, 'view');
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
		sessionIds: () => [...new Set([...connections].map((connection) => connection.sessionId))],
		endSession: (sessionId, reason) => endWhere((connection) => connection.sessionId === sessionId, reason),
	};
}
