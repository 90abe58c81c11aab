import { useSyncExternalStore } from 'react';

const tests = new Set<() => boolean>();
const askedListeners = new Set<() => void>();
const againListeners = new Set<() => void>();
let isAsked = false;
let isLetGo = false;

/** An expired session leaves the screen standing while a test says so, and asks to sign in in its place. */
export function holdScreenWhile(test: () => boolean): () => void {
	tests.add(test);
	return () => {
		tests.delete(test);
	};
}

/** Whether something would be lost if an expired session took the screen away. */
export function isScreenHeld(): boolean {
	return !isLetGo && [...tests].some((test) => test());
}

/** The person would rather leave: `end`, the end of the session, takes its usual way. Whoever signs in next is asked again. */
export function letScreenGo(end: () => void): void {
	isLetGo = true;
	setSignInAsked(false);
	end();
	isLetGo = false;
}

/** Opens or closes the dialog that asks to sign in again. */
export function setSignInAsked(next: boolean): void {
	if (isAsked === next) return;
	isAsked = next;
	for (const listener of askedListeners) listener();
}

/** Whether the session is over and the screen still stands. */
export function isSignInAsked(): boolean {
	return isAsked;
}

/** The same, for what is drawn by it. */
export function useSignInAsked(): boolean {
	return useSyncExternalStore((listener) => {
		askedListeners.add(listener);
		return () => askedListeners.delete(listener);
	}, isSignInAsked);
}

/** The same person is signed in again: everything that waited for it goes on. */
export function reportSignedInAgain(): void {
	setSignInAsked(false);
	for (const listener of againListeners) listener();
}

/** Registers what goes on after signing in again; returns how to stop. */
export function onSignedInAgain(listener: () => void): () => void {
	againListeners.add(listener);
	return () => againListeners.delete(listener);
}
