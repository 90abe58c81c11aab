import { useState } from 'react';
import { useMe } from '#web/platform/session.ts';

/** Whether the column of details stands beside a conversation, as this person chose last in this browser. */
export function useShownDetails(): [boolean, (isShown: boolean) => void] {
	const key = `folio.chat-details.${useMe().id}`;
	const [isShown, setShown] = useState(() => recall(key));
	return [
		isShown,
		(next) => {
			setShown(next);
			try {
				window.localStorage.setItem(key, next ? 'shown' : 'folded');
			} catch {
				// A browser that keeps nothing shows them.
			}
		},
	];
}

function recall(key: string): boolean {
	try {
		return window.localStorage.getItem(key) !== 'folded';
	} catch {
		return true;
	}
}
