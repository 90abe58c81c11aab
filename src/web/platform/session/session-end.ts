import { storage, tabStorage } from '../browser/storage.ts';
import { createEmitter } from '../events/emitter.ts';

/** Why the session has ended. The event stream uses the same values. */
export type EndReason = 'logout' | 'deactivation' | 'password' | 'device' | 'expiry' | 'deletion';

const ended = createEmitter<EndReason>();

/** Notifies all listeners. May be called more than once. */
export const endSession = ended.emit;

export const onSessionEnd = ended.subscribe;

/**
 * Deletes the stored entries whose keys start with `prefix` when the session ends. After an expiry they are kept, because
 * the same user may sign in again. After any other end of the session, another user may use this browser.
 */
export function deleteStoredOnSessionEnd(prefix: string): void {
	onSessionEnd((reason) => {
		if (reason === 'expiry') return;
		for (const stored of [tabStorage, storage])
			for (const key of stored.keysStartingWith(prefix)) stored.set(key, null);
	});
}

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

/** In ms. A sign-out without a response within this time is treated as offline. */
export const signOutTimeoutMs = 8000;

const pendingSignOutKey = 'sign-out-owed';

/** A sign-out that was made offline. It is sent before the next request for the signed-in user. */
export const pendingSignOut = {
	store: () => storage.set(pendingSignOutKey, 'true'),
	exists: () => storage.get(pendingSignOutKey) !== null,
	clear: () => storage.set(pendingSignOutKey, null),
};
