import { type SyntheticEvent, useEffect, useRef } from 'react';

/** Whoever only passes by rests on nothing for so long. */
const hoverDelayMs = 80;

/** Says of a button that it leads to a page. */
export function preloadTarget(page: number | null) {
	return { 'data-leads-to': page ?? undefined };
}

/**
 * Tells of the page that a button below leads to (see {@link preloadTarget}) while somebody points at it or is about to press it:
 * drawn meanwhile, it stands there once it is pressed. Null when they go elsewhere.
 * @returns handlers for the element around the buttons
 */
export function usePreloadOnHover(onPreload: (page: number | null) => void) {
	const timer = useRef(0);
	const reportedPage = useRef<number | null>(null);
	useEffect(() => () => window.clearTimeout(timer.current), []);
	const report = (page: number | null, afterMs: number) => {
		window.clearTimeout(timer.current);
		if (page === reportedPage.current) return;
		timer.current = window.setTimeout(() => {
			reportedPage.current = page;
			onPreload(page);
		}, afterMs);
	};
	const reportHovered = ({ target }: SyntheticEvent) => report(targetPageOf(target), hoverDelayMs);
	const reportPressed = ({ target }: SyntheticEvent) => report(targetPageOf(target), 0);
	const reportNone = () => report(null, hoverDelayMs);
	return {
		onPointerOver: reportHovered,
		onPointerDown: reportPressed,
		onPointerLeave: reportNone,
		// A finger that scrolls the list.
		onPointerCancel: reportNone,
		onFocus: reportHovered,
		onBlur: reportNone,
	};
}

function targetPageOf(target: EventTarget): number | null {
	const button = target instanceof Element ? target.closest<HTMLElement>('[data-leads-to]') : null;
	return button === null ? null : Number(button.dataset.leadsTo);
}
