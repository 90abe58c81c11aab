import { useCallback, useLayoutEffect, useRef } from 'react';

/** The last value that was not null: what a closing dialog still shows while it fades. */
export function useLastNonNull<T>(value: T | null): T | null {
	const last = useRef(value);
	if (value !== null) last.current = value;
	return last.current;
}

/** A function that stays the same and always does what its newest form says: for handlers handed to many rows. */
export function useStableCallback<A extends unknown[], R>(callback: (...args: A) => R): (...args: A) => R {
	const newest = useRef(callback);
	useLayoutEffect(() => {
		newest.current = callback;
	});
	return useCallback((...args: A) => newest.current(...args), []);
}
