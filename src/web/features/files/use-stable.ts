import { useCallback, useLayoutEffect, useRef } from 'react';

/** A function that stays the same and always does what its newest form says: for handlers handed to many rows. */
export function useStable<A extends unknown[], R>(work: (...args: A) => R): (...args: A) => R {
	const newest = useRef(work);
	useLayoutEffect(() => {
		newest.current = work;
	});
	return useCallback((...args: A) => newest.current(...args), []);
}
