import { useMediaQuery } from '@mantine/hooks';
import { type RefObject, useLayoutEffect } from 'react';

/** Sets a CSS property of the root element to the height of `ref`. Removes the property on unmount. */
export function useHeightVariable(ref: RefObject<HTMLElement | null>, name: `--${string}`): void {
	useLayoutEffect(() => {
		const element = ref.current;
		if (element === null) return;
		const root = document.documentElement.style;
		const publish = () => root.setProperty(name, `${element.offsetHeight}px`);
		// The property is set before the first paint, so that the layout does not shift.
		publish();
		const observer = new ResizeObserver(publish);
		observer.observe(element);
		return () => {
			observer.disconnect();
			root.removeProperty(name);
		};
	}, [ref, name]);
}

/** Must match the width in the style sheets. */
export function useIsPhone(): boolean {
	return useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false });
}
