const storageKey = 'sign-out-owed';

/** A server that has not answered by then is out of reach, in milliseconds. */
export const signOutTimeoutMs = 8000;

/** Somebody has logged out without a line: the server is told at the next contact, before anything else is asked. */
export function storePendingSignOut(): void {
	try {
		window.localStorage.setItem(storageKey, 'true');
	} catch {
		// Full, or forbidden: the session ends by itself.
	}
}

/** Whether the server has not been told yet. */
export function hasPendingSignOut(): boolean {
	try {
		return window.localStorage.getItem(storageKey) !== null;
	} catch {
		return false;
	}
}

/** The server has been told, or somebody has signed in since. */
export function clearPendingSignOut(): void {
	try {
		window.localStorage.removeItem(storageKey);
	} catch {
		// Forbidden: then nothing was kept.
	}
}
