import { expect, test } from 'vitest';
import {
	discardScreen,
	isScreenPreserved,
	isSignInPrompted,
	preserveScreenWhile,
	setSignInPrompted,
} from './reauthentication.ts';

test('a screen with unsaved work is preserved, except while discardScreen ends the session', () => {
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
	expect(isScreenPreserved()).toBe(true);

	hasRows = false;
	expect(isScreenPreserved()).toBe(false);
	hasRows = true;
	release();
	expect(isScreenPreserved()).toBe(false);
});
