import { useCallback, useLayoutEffect, useRef } from 'react';

/** Returns the last value that was not null: a closing dialog shows it while it fades out. */
export function useLastNonNull<T>(value: T | null): T | null {
	const last = useRef(value);
	if (value !== null) last.current = value;
	return last.current;
}

/** Returns a function of stable identity that always calls the newest callback, for handlers passed to many rows. */
export function useStableCallback<A extends unknown[], R>(callback: (...args: A) => R): (...args: A) => R {
	const newest = useRef(callback);
	useLayoutEffect(() => {
		newest.current = callback;
	});
	return useCallback((...args: A) => newest.current(...args), []);
}
