import { createEmitter, createSharedValue } from '../events/emitter.ts';

const conditions = new Set<() => boolean>();
const prompted = createSharedValue(false);
const reauthenticated = createEmitter();
let isDiscarding = false;

/** Keeps the screen after the session expires while `test` returns true: the user signs in again in a dialog. */
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

/** Ends the session with `end`; unsaved work is lost, as the user chose. Later sessions preserve screens again. */
export function discardScreen(end: () => void): void {
	isDiscarding = true;
	setSignInPrompted(false);
	end();
	isDiscarding = false;
}

export const setSignInPrompted = prompted.set;

/** Whether the sign-in dialog is open: the session is over and the screen is still shown. */
export const isSignInPrompted = prompted.get;

export const useIsSignInPrompted = prompted.useValue;

/** Reports that the same user has signed in again, so that waiting work continues. */
export function reportReauthenticated(): void {
	setSignInPrompted(false);
	reauthenticated.emit();
}

export const onReauthenticated = reauthenticated.subscribe;
