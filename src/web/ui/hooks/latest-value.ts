import { useCallback, useLayoutEffect, useRef } from 'react';

/** Returns a function of stable identity that always calls the newest callback, for handlers passed to many rows. */
export function useStableCallback<A extends unknown[], R>(callback: (...args: A) => R): (...args: A) => R {
	const newest = useRef(callback);
	useLayoutEffect(() => {
		newest.current = callback;
	});
	return useCallback((...args: A) => newest.current(...args), []);
}
