import { expect, test } from 'vitest';
import { holdScreenWhile, isScreenHeld, isSignInAsked, letScreenGo, setSignInAsked } from './sign-in-again.ts';

test('a screen is held while something on it would be lost, and let go of once only', () => {
	expect(isScreenHeld()).toBe(false);
	let hasRows = true;
	const release = holdScreenWhile(() => hasRows);
	expect(isScreenHeld()).toBe(true);

	setSignInAsked(true);
	let heldAtEnd: boolean | undefined;
	letScreenGo(() => {
		heldAtEnd = isScreenHeld();
	});
	expect({ heldAtEnd, isAsked: isSignInAsked() }).toEqual({ heldAtEnd: false, isAsked: false });
	// Of the next session.
	expect(isScreenHeld()).toBe(true);

	hasRows = false;
	expect(isScreenHeld()).toBe(false);
	hasRows = true;
	release();
	expect(isScreenHeld()).toBe(false);
});
