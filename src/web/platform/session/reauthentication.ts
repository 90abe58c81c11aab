import { createEmitter, createSharedValue } from '../events/emitter.ts';

const conditions = new Set<() => boolean>();
const prompted = createSharedValue(false);
const reauthenticated = createEmitter();
let isDiscarding = false;

/** While `test` returns true, the screen stays open when the session expires, and a sign-in dialog opens above it. */
export function preserveScreenWhile(test: () => boolean): () => void {
	conditions.add(test);
	return () => {
		conditions.delete(test);
	};
}

/** Whether the screen has unsaved work and must stay open when the session expires. */
export function isScreenPreserved(): boolean {
	return !isDiscarding && [...conditions].some((test) => test());
}

/** Calls `end`, which ends the session. The screen closes, because the user has chosen to discard unsaved work. */
export function discardScreen(end: () => void): void {
	isDiscarding = true;
	setSignInPrompted(false);
	end();
	isDiscarding = false;
}

export const setSignInPrompted = prompted.set;

/** Whether the sign-in dialog is open after the session has expired. */
export const isSignInPrompted = prompted.get;

export const useIsSignInPrompted = prompted.useValue;

/** Call after the same user has signed in again. Waiting work then continues. */
export function reportReauthenticated(): void {
	setSignInPrompted(false);
	reauthenticated.emit();
}

export const onReauthenticated = reauthenticated.subscribe;
