import { type RefObject, useEffect, useState } from 'react';

/** So near is the end, in CSS px. */
const endTolerancePx = 16;

/** Whether the end of what a box scrolls is in sight; of a box that stands there when `isStillListed`. */
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
			for (const each of [element, ...element.children]) sizes.observe(each);
		};
		// A page, once there is room for it; another one is another element where they follow each other.
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
