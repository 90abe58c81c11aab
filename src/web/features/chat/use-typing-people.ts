import { useEffect, useState } from 'react';
import { typingMs } from '#contract/chat/chat.ts';
import { onHint } from '#web/platform/events.ts';

const nobody: ReadonlySet<string> = new Set();

/** Ids of the members who type right now; each goes out a moment after the last key, or with the message. */
export function useTypingPeople(): ReadonlySet<string> {
	const [people, setPeople] = useState(nobody);
	useEffect(() => {
		const timers = new Map<string, number>();
		const tell = () => setPeople(timers.size === 0 ? nobody : new Set(timers.keys()));
		const stop = (person: string) => {
			window.clearTimeout(timers.get(person));
			if (timers.delete(person)) tell();
		};
		const forget = onHint((hint) => {
			if (hint.topic === 'message' && hint.message.sender === 'user') stop(hint.person);
			if (hint.topic !== 'typing' || hint.typing !== 'user') return;
			const isNew = !timers.has(hint.person);
			window.clearTimeout(timers.get(hint.person));
			timers.set(
				hint.person,
				window.setTimeout(() => stop(hint.person), typingMs),
			);
			if (isNew) tell();
		});
		return () => {
			forget();
			for (const timer of timers.values()) window.clearTimeout(timer);
		};
	}, []);
	return people;
}
