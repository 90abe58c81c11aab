import type { Bus, EndedSessions } from './bus.ts';

/** Something that a session holds open: a stream, a download, an upload. */
export interface LiveConnection {
	sessionId: string;
	userId: string;
	/** Called once when the session ends elsewhere. */
	end(reason: EndedSessions['reason']): void;
}

/** Everything that sessions hold open on this process, so that an ended session loses it within a second. */
export interface LiveConnections {
	/** @returns a function that takes the connection off the list. */
	add(connection: LiveConnection): () => void;
	count(): number;
}

/** Closes what an ended session holds, as soon as the bus says that it has ended. */
export function createLiveConnections(bus: Bus): LiveConnections {
	const connections = new Set<LiveConnection>();
	bus.subscribe((message) => {
		if (message.kind !== 'ended') return;
		const { userId, sessionIds, reason } = message.ended;
		for (const connection of [...connections]) {
			if (connection.userId !== userId) continue;
			if (sessionIds !== undefined && !sessionIds.includes(connection.sessionId)) continue;
			connections.delete(connection);
			connection.end(reason);
		}
	});
	return {
		add(connection) {
			connections.add(connection);
			return () => connections.delete(connection);
		},
		count: () => connections.size,
	};
}
