const storageKey = 'sign-out-owed';

/** In milliseconds: without a response by then, the server counts as unreachable. */
export const signOutTimeoutMs = 8000;

/** Records a sign-out made offline: it is sent as soon as the server can be reached, before any other request. */
export function storePendingSignOut(): void {
	try {
		window.localStorage.setItem(storageKey, 'true');
	} catch {
		// Storage is full or disabled: the session expires by itself.
	}
}

/** Whether a sign-out is still to be sent. */
export function hasPendingSignOut(): boolean {
	try {
		return window.localStorage.getItem(storageKey) !== null;
	} catch {
		return false;
	}
}

/** Removes the record: the sign-out was sent, or a user has signed in since. */
export function clearPendingSignOut(): void {
	try {
		window.localStorage.removeItem(storageKey);
	} catch {
		// Storage is disabled: then nothing was stored.
	}
}
