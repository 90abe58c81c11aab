import { type SyntheticEvent, useEffect, useRef } from 'react';

/** Minimum time that a pointer rests on an entry; one that only passes over is ignored. */
const hoverDelayMs = 80;

/** Attributes of a button that leads to a page. */
export function preloadTarget(page: number | null) {
	return { 'data-leads-to': page ?? undefined };
}

/**
 * Reports the page of a button (see {@link preloadTarget}) while the pointer rests on it or it is about to be pressed,
 * so that the page can be rendered in advance. Reports null when the pointer leaves.
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
		// Occurs when a touch scrolls the list.
		onPointerCancel: reportNone,
		onFocus: reportHovered,
		onBlur: reportNone,
	};
}

function targetPageOf(target: EventTarget): number | null {
	const button = target instanceof Element ? target.closest<HTMLElement>('[data-leads-to]') : null;
	return button === null ? null : Number(button.dataset.leadsTo);
}
