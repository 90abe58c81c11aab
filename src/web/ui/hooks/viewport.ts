import { useMediaQuery } from '@mantine/hooks';
import { type RefObject, useLayoutEffect } from 'react';

/** Publishes the height of an element as a CSS property of the root element; the property is removed on unmount. */
export function useHeightVariable(ref: RefObject<HTMLElement | null>, name: `--${string}`): void {
	useLayoutEffect(() => {
		const element = ref.current;
		if (element === null) return;
		const root = document.documentElement.style;
		const publish = () => root.setProperty(name, `${element.offsetHeight}px`);
		// Published before the first paint, so that nothing moves afterwards.
		publish();
		const observer = new ResizeObserver(publish);
		observer.observe(element);
		return () => {
			observer.disconnect();
			root.removeProperty(name);
		};
	}, [ref, name]);
}

/** Whether the window is as narrow as a phone: the width below which the style sheets use one column. */
export function useIsPhone(): boolean {
	return useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false });
}
