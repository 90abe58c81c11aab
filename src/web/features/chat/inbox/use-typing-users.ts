import { useEffect, useState } from 'react';
import { typingMs } from '#contract/chat/chat.ts';
import { onServerEvent } from '#web/platform/events/server-events.ts';

const noUsers: ReadonlySet<string> = new Set();

/** Returns the IDs of members who are typing; an ID is removed shortly after the last key, or with the message. */
export function useTypingUsers(): ReadonlySet<string> {
	const [users, setUsers] = useState(noUsers);
	useEffect(() => {
		const timers = new Map<string, number>();
		const update = () => setUsers(timers.size === 0 ? noUsers : new Set(timers.keys()));
		const stop = (person: string) => {
			window.clearTimeout(timers.get(person));
			if (timers.delete(person)) update();
		};
		const unsubscribe = onServerEvent((hint) => {
			if (hint.topic === 'message' && hint.message.sender === 'user') stop(hint.person);
			if (hint.topic !== 'typing' || hint.typing !== 'user') return;
			const isNew = !timers.has(hint.person);
			window.clearTimeout(timers.get(hint.person));
			timers.set(
				hint.person,
				window.setTimeout(() => stop(hint.person), typingMs),
			);
			if (isNew) update();
		});
		return () => {
			unsubscribe();
			for (const timer of timers.values()) window.clearTimeout(timer);
		};
	}, []);
	return users;
}
