import { expect, test } from 'vitest';
import {
	discardScreen,
	isScreenPreserved,
	isSignInPrompted,
	preserveScreenWhile,
	setSignInPrompted,
} from './reauthentication.ts';

test('a screen is held while something on it would be lost, and let go of once only', () => {
	expect(isScreenPreserved()).toBe(false);
	let hasRows = true;
	const release = preserveScreenWhile(() => hasRows);
	expect(isScreenPreserved()).toBe(true);

	setSignInPrompted(true);
	let heldAtEnd: boolean | undefined;
	discardScreen(() => {
		heldAtEnd = isScreenPreserved();
	});
	expect({ heldAtEnd, isAsked: isSignInPrompted() }).toEqual({ heldAtEnd: false, isAsked: false });
	// Of the next session.
	expect(isScreenPreserved()).toBe(true);

	hasRows = false;
	expect(isScreenPreserved()).toBe(false);
	hasRows = true;
	release();
	expect(isScreenPreserved()).toBe(false);
});
