import { type RefObject, useEffect, useRef } from 'react';

/**
 * Takes over the focus that a move within a screen has put on the screen's own heading: for the heading of what has
 * arrived there.
 */
export function useHeadingFocus<E extends HTMLElement>(): RefObject<E | null> {
	const heading = useRef<E>(null);
	useEffect(() => {
		if (document.activeElement?.tagName === 'H1') heading.current?.focus({ preventScroll: true });
	}, []);
	return heading;
}
