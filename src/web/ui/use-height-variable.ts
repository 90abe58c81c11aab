import { type RefObject, useLayoutEffect } from 'react';

/** Tells the style sheets, in a property of the root, how high an element stands; nothing once it is gone. */
export function useHeightVariable(ref: RefObject<HTMLElement | null>, name: `--${string}`): void {
	useLayoutEffect(() => {
		const element = ref.current;
		if (element === null) return;
		const root = document.documentElement.style;
		const tell = () => root.setProperty(name, `${element.offsetHeight}px`);
		// At once too: nothing jumps after the first picture.
		tell();
		const observer = new ResizeObserver(tell);
		observer.observe(element);
		return () => {
			observer.disconnect();
			root.removeProperty(name);
		};
	}, [ref, name]);
}
