import { useSyncExternalStore } from 'react';

const conditions = new Set<() => boolean>();
const promptListeners = new Set<() => void>();
const reauthenticatedListeners = new Set<() => void>();
let isPrompted = false;
let isDiscarding = false;

/** Keeps the screen after the session expires while a test returns true: the user signs in again in a dialog. */
export function preserveScreenWhile(test: () => boolean): () => void {
	conditions.add(test);
	return () => {
		conditions.delete(test);
	};
}

/** Whether leaving the screen after an expired session would lose unsaved work. */
export function isScreenPreserved(): boolean {
	return !isDiscarding && [...conditions].some((test) => test());
}

/** Runs `end`, the end of the session, because the user prefers to leave. The next user who signs in is asked again. */
export function discardScreen(end: () => void): void {
	isDiscarding = true;
	setSignInPrompted(false);
	end();
	isDiscarding = false;
}

/** Opens or closes the dialog that asks to sign in again. */
export function setSignInPrompted(next: boolean): void {
	if (isPrompted === next) return;
	isPrompted = next;
	for (const listener of promptListeners) listener();
}

/** Whether the sign-in dialog is open: the session is over and the screen is still shown. */
export function isSignInPrompted(): boolean {
	return isPrompted;
}

/** The same as a hook. */
export function useIsSignInPrompted(): boolean {
	return useSyncExternalStore((listener) => {
		promptListeners.add(listener);
		return () => promptListeners.delete(listener);
	}, isSignInPrompted);
}

/** Reports that the same user has signed in again, so that waiting work continues. */
export function reportReauthenticated(): void {
	setSignInPrompted(false);
	for (const listener of reauthenticatedListeners) listener();
}

/** Registers a listener that is called after signing in again; returns a function that unregisters it. */
export function onReauthenticated(listener: () => void): () => void {
	reauthenticatedListeners.add(listener);
	return () => reauthenticatedListeners.delete(listener);
}
