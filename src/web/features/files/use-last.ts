import { useRef } from 'react';

/** The last value that was not null: what a closing dialog still shows while it fades. */
export function useLast<T>(value: T | null): T | null {
	const last = useRef(value);
	if (value !== null) last.current = value;
	return last.current;
}
