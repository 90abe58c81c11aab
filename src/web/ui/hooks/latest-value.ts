import { useCallback, useLayoutEffect, useRef } from 'react';

/** Returns a function that never changes and calls the newest callback. */
export function useStableCallback<A extends unknown[], R>(callback: (...args: A) => R): (...args: A) => R {
	const newest = useRef(callback);
	useLayoutEffect(() => {
		newest.current = callback;
	});
	return useCallback((...args: A) => newest.current(...args), []);
}
