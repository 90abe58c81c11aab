/** Why a session is over; the words of the event line. */
export type EndReason = 'logout' | 'deactivation' | 'password' | 'device' | 'expiry' | 'deletion';

type Listener = (reason: EndReason) => void;

const listeners = new Set<Listener>();

/** Tells every listener that this browser's session is over. Safe to call more than once. */
export function endSession(reason: EndReason): void {
	for (const listener of listeners) listener(reason);
}

/** Registers what happens at the end of a session; returns how to stop. */
export function onSessionEnd(listener: Listener): () => void {
	listeners.add(listener);
	return () => listeners.delete(listener);
}
