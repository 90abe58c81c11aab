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

type SignOutTask = () => Promise<void>;

const tasks = new Set<SignOutTask>();

/** Nobody waits longer for what is still to be sent, in milliseconds. */
const maxWaitMs = 4000;

/** Registers what is sent before somebody logs out: afterwards it could not be. @returns how to stop */
export function beforeSignOut(task: SignOutTask): () => void {
	tasks.add(task);
	return () => tasks.delete(task);
}

/** Sends it, as far as that succeeds within a moment. */
export async function runBeforeSignOut(): Promise<void> {
	const sent = Promise.allSettled([...tasks].map((work) => work()));
	await Promise.race([sent, new Promise((resolve) => setTimeout(resolve, maxWaitMs))]);
}
