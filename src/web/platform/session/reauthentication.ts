import { useSyncExternalStore } from 'react';

const conditions = new Set<() => boolean>();
const promptListeners = new Set<() => void>();
const reauthenticatedListeners = new Set<() => void>();
let isPrompted = false;
let isDiscarding = false;

/** An expired session leaves the screen standing while a test says so, and asks to sign in in its place. */
export function preserveScreenWhile(test: () => boolean): () => void {
	conditions.add(test);
	return () => {
		conditions.delete(test);
	};
}

/** Whether something would be lost if an expired session took the screen away. */
export function isScreenPreserved(): boolean {
	return !isDiscarding && [...conditions].some((test) => test());
}

/** The person would rather leave: `end`, the end of the session, takes its usual way. Whoever signs in next is asked again. */
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

/** Whether the session is over and the screen still stands. */
export function isSignInPrompted(): boolean {
	return isPrompted;
}

/** The same, for what is drawn by it. */
export function useIsSignInPrompted(): boolean {
	return useSyncExternalStore((listener) => {
		promptListeners.add(listener);
		return () => promptListeners.delete(listener);
	}, isSignInPrompted);
}

/** The same person is signed in again: everything that waited for it goes on. */
export function reportReauthenticated(): void {
	setSignInPrompted(false);
	for (const listener of reauthenticatedListeners) listener();
}

/** Registers what goes on after signing in again; returns how to stop. */
export function onReauthenticated(listener: () => void): () => void {
	reauthenticatedListeners.add(listener);
	return () => reauthenticatedListeners.delete(listener);
}
