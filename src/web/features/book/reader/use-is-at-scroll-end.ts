import { type RefObject, useEffect, useState } from 'react';

const endTolerancePx = 16;

/** Whether the end of a scroll box is visible. `isMounted`: whether the box is in the DOM. */
export function useIsAtScrollEnd(box: RefObject<HTMLElement | null>, isMounted: boolean): boolean {
	const [isAtEnd, setAtEnd] = useState(false);
	useEffect(() => {
		const element = box.current;
		if (element === null || !isMounted) return;
		const check = () => {
			const remainingPx = element.scrollHeight - element.scrollTop - element.clientHeight;
			setAtEnd(element.childElementCount > 0 && remainingPx < endTolerancePx);
		};
		const sizes = new ResizeObserver(check);
		const measure = () => {
			for (const observed of [element, ...element.children]) sizes.observe(observed);
		};
		// The page element is added after the first layout, and replaced when another page opens.
		const content = new MutationObserver(measure);
		content.observe(element, { childList: true });
		measure();
		element.addEventListener('scroll', check, { passive: true });
		return () => {
			sizes.disconnect();
			content.disconnect();
			element.removeEventListener('scroll', check);
		};
	}, [box, isMounted]);
	return isAtEnd;
}
