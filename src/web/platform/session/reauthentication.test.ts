import { expect, test } from 'vitest';
import {
	discardScreen,
	isScreenPreserved,
	isSignInPrompted,
	preserveScreenWhile,
	setSignInPrompted,
} from './reauthentication.ts';

test('a screen is preserved while it has unsaved work, and discarding it lasts for one sign-out only', () => {
	expect(isScreenPreserved()).toBe(false);
	let hasRows = true;
	const release = preserveScreenWhile(() => hasRows);
	expect(isScreenPreserved()).toBe(true);

	setSignInPrompted(true);
	let wasPreservedAtEnd: boolean | undefined;
	discardScreen(() => {
		wasPreservedAtEnd = isScreenPreserved();
	});
	expect({ wasPreservedAtEnd, isPrompted: isSignInPrompted() }).toEqual({
		wasPreservedAtEnd: false,
		isPrompted: false,
	});
	// The screen of the next session is preserved again.
	expect(isScreenPreserved()).toBe(true);

	hasRows = false;
	expect(isScreenPreserved()).toBe(false);
	hasRows = true;
	release();
	expect(isScreenPreserved()).toBe(false);
});
