import { useEffect, useState } from 'react';
import { type ChatSide, typingMs } from '#contract/chat/chat.ts';
import type { ServerEvent } from '#contract/core/events.ts';
import { onServerEvent } from '#web/platform/events/server-events.ts';

const noUsers: ReadonlySet<string> = new Set();

/**
 * Returns the IDs of the members in whose conversations `side` is typing. An ID is removed when the message arrives, or
 * shortly after the last typing event.
 */
export function useTypingUsers(side: ChatSide): ReadonlySet<string> {
	const [users, setUsers] = useState(noUsers);
	useEffect(() => {
		const { handleEvent, stop } = trackTyping(side, setUsers);
		const unsubscribe = onServerEvent(handleEvent);
		return () => {
			unsubscribe();
			stop();
		};
	}, [side]);
	return users;
}

export function trackTyping(side: ChatSide, onChange: (users: ReadonlySet<string>) => void) {
	const timers = new Map<string, ReturnType<typeof setTimeout>>();
	const update = () => onChange(timers.size === 0 ? noUsers : new Set(timers.keys()));
	const remove = (userId: string) => {
		clearTimeout(timers.get(userId));
		if (timers.delete(userId)) update();
	};
	return {
		handleEvent(event: ServerEvent): void {
			if (event.topic === 'message' && event.message.sender === side) remove(event.person);
			if (event.topic !== 'typing' || event.typing !== side) return;
			const isNew = !timers.has(event.person);
			clearTimeout(timers.get(event.person));
			timers.set(
				event.person,
				setTimeout(() => remove(event.person), typingMs),
			);
			if (isNew) update();
		},
		stop(): void {
			for (const timer of timers.values()) clearTimeout(timer);
		},
	};
}
