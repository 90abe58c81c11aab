import { useEffect, useState } from 'react';
import { type ChatSide, typingMs } from '#contract/chat/chat.ts';
import { onServerEvent } from '#web/platform/events/server-events.ts';

const noUsers: ReadonlySet<string> = new Set();

/**
 * Returns the IDs of the members in whose conversations `side` is typing. An ID is removed when the message arrives, or
 * shortly after the last typing event.
 */
export function useTypingUsers(side: ChatSide): ReadonlySet<string> {
	const [users, setUsers] = useState(noUsers);
	useEffect(() => {
		const timers = new Map<string, number>();
		const update = () => setUsers(timers.size === 0 ? noUsers : new Set(timers.keys()));
		const stop = (userId: string) => {
			window.clearTimeout(timers.get(userId));
			if (timers.delete(userId)) update();
		};
		const unsubscribe = onServerEvent((event) => {
			if (event.topic === 'message' && event.message.sender === side) stop(event.person);
			if (event.topic !== 'typing' || event.typing !== side) return;
			const isNew = !timers.has(event.person);
			window.clearTimeout(timers.get(event.person));
			timers.set(
				event.person,
				window.setTimeout(() => stop(event.person), typingMs),
			);
			if (isNew) update();
		});
		return () => {
			unsubscribe();
			for (const timer of timers.values()) window.clearTimeout(timer);
		};
	}, [side]);
	return users;
}
