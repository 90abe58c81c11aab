import { type RefObject, useEffect, useState } from 'react';

/** So near is the end, in CSS px. */
const nearPx = 16;

/** Whether the end of what a box scrolls is in sight; of a box that stands there when `isThere`. */
export function useAtEnd(box: RefObject<HTMLElement | null>, isThere: boolean): boolean {
	const [isAtEnd, setAtEnd] = useState(false);
	useEffect(() => {
		const element = box.current;
		if (element === null || !isThere) return;
		const look = () => {
			const left = element.scrollHeight - element.scrollTop - element.clientHeight;
			setAtEnd(element.childElementCount > 0 && left < nearPx);
		};
		const sizes = new ResizeObserver(look);
		const measure = () => {
			for (const each of [element, ...element.children]) sizes.observe(each);
		};
		// A page, once there is room for it; another one is another element where they follow each other.
		const content = new MutationObserver(measure);
		content.observe(element, { childList: true });
		measure();
		element.addEventListener('scroll', look, { passive: true });
		return () => {
			sizes.disconnect();
			content.disconnect();
			element.removeEventListener('scroll', look);
		};
	}, [box, isThere]);
	return isAtEnd;
}
