/** Why a session is over, in the terms of the event stream. */
export type EndReason = 'logout' | 'deactivation' | 'password' | 'device' | 'expiry' | 'deletion';

type Listener = (reason: EndReason) => void;

const listeners = new Set<Listener>();

/** Tells every listener that this browser's session is over. Safe to call more than once. */
export function endSession(reason: EndReason): void {
	for (const listener of listeners) listener(reason);
}

/** Registers a listener for the end of a session; returns a function that unregisters it. */
export function onSessionEnd(listener: Listener): () => void {
	listeners.add(listener);
	return () => listeners.delete(listener);
}

type SignOutTask = () => Promise<void>;

const tasks = new Set<SignOutTask>();

/** Longest wait for unsent data at a sign-out, in milliseconds. */
const maxWaitMs = 4000;

/**
 * Registers a task that sends unsent data before a sign-out: afterwards it could not be sent.
 * @returns a function that unregisters it
 */
export function beforeSignOut(task: SignOutTask): () => void {
	tasks.add(task);
	return () => tasks.delete(task);
}

/** Runs the registered tasks; stops waiting after a few seconds. */
export async function runBeforeSignOut(): Promise<void> {
	const sent = Promise.allSettled([...tasks].map((work) => work()));
	await Promise.race([sent, new Promise((resolve) => setTimeout(resolve, maxWaitMs))]);
}
