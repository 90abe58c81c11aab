import { storage } from '../browser/storage.ts';
import { createEmitter } from '../events/emitter.ts';

/** Why a session is over, in the terms of the event stream. */
export type EndReason = 'logout' | 'deactivation' | 'password' | 'device' | 'expiry' | 'deletion';

const ended = createEmitter<EndReason>();

/** Notifies every listener that this browser's session is over. Safe to call more than once. */
export const endSession = ended.emit;

export const onSessionEnd = ended.subscribe;

type SignOutTask = () => Promise<void>;

const tasks = new Set<SignOutTask>();

const maxWaitMs = 4000;

export function beforeSignOut(task: SignOutTask): () => void {
	tasks.add(task);
	return () => tasks.delete(task);
}

export async function runBeforeSignOut(): Promise<void> {
	const sent = Promise.allSettled([...tasks].map((work) => work()));
	await Promise.race([sent, new Promise((resolve) => setTimeout(resolve, maxWaitMs))]);
}

/** Time in ms after which a sign-out without a response fails, because the server counts as unreachable. */
export const signOutTimeoutMs = 8000;

const pendingSignOutKey = 'sign-out-owed';

/** A sign-out that was made offline. It is sent before any other request once the server can be reached again. */
export const pendingSignOut = {
	store: () => storage.set(pendingSignOutKey, 'true'),
	exists: () => storage.get(pendingSignOutKey) !== null,
	clear: () => storage.set(pendingSignOutKey, null),
};
