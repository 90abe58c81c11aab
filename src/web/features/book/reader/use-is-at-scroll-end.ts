import { type RefObject, useEffect, useState } from 'react';

/** Tolerance at the end, in CSS px. */
const endTolerancePx = 16;

/** Whether the end of a scroll box is visible. The box is in the DOM once `isMounted` is true. */
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
		// The page element is added once there is space for it, and may be replaced by that of another page.
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
