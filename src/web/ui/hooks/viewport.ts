import { useMediaQuery } from '@mantine/hooks';
import { type RefObject, useLayoutEffect } from 'react';

/** Tells the style sheets, in a property of the root, how high an element stands; nothing once it is gone. */
export function useHeightVariable(ref: RefObject<HTMLElement | null>, name: `--${string}`): void {
	useLayoutEffect(() => {
		const element = ref.current;
		if (element === null) return;
		const root = document.documentElement.style;
		const publish = () => root.setProperty(name, `${element.offsetHeight}px`);
		// At once too: nothing jumps after the first picture.
		publish();
		const observer = new ResizeObserver(publish);
		observer.observe(element);
		return () => {
			observer.disconnect();
			root.removeProperty(name);
		};
	}, [ref, name]);
}

/** Whether the window is as narrow as a phone: the width at which the style sheets turn to one column. */
export function useIsPhone(): boolean {
	return useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false });
}
