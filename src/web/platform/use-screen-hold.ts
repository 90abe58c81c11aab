import { useContext, useEffect } from 'react';
import { MeContext } from './session.ts';
import { holdScreenWhile } from './sign-in-again.ts';

/** Keeps an expired session from taking the screen away, with what was typed there and not saved: it is asked for in its place. */
export function useScreenHold(isHeld: boolean): void {
	// Elsewhere nobody would ask.
	const isProtected = useContext(MeContext) !== null;
	useEffect(() => (isHeld && isProtected ? holdScreenWhile(() => true) : undefined), [isHeld, isProtected]);
}
