import { useDebouncedCallback } from '@mantine/hooks';
import { type SyntheticEvent, useRef } from 'react';

/** A pointer that only moves over entries must not load pages. */
const hoverDelayMs = 80;

export function preloadTarget(page: number | null) {
	return { 'data-leads-to': page ?? undefined };
}

/**
 * Reports the page of a hovered, focused or pressed button (see {@link preloadTarget}), so that the page can be
 * rendered in advance. Reports null when the pointer or focus leaves.
 * @returns handlers for the element around the buttons
 */
export function usePreloadOnHover(onPreload: (page: number | null) => void) {
	const reportedPage = useRef<number | null>(null);
	const report = useDebouncedCallback((page: number | null) => {
		if (page === reportedPage.current) return;
		reportedPage.current = page;
		onPreload(page);
	}, hoverDelayMs);
	const reportHovered = ({ target }: SyntheticEvent) => report(targetPageOf(target));
	const reportPressed = (event: SyntheticEvent) => {
		reportHovered(event);
		report.flush();
	};
	const reportNone = () => report(null);
	return {
		onPointerOver: reportHovered,
		onPointerDown: reportPressed,
		onPointerLeave: reportNone,
		// Fired when a touch scrolls the list.
		onPointerCancel: reportNone,
		onFocus: reportHovered,
		onBlur: reportNone,
	};
}

function targetPageOf(target: EventTarget): number | null {
	const button = target instanceof Element ? target.closest<HTMLElement>('[data-leads-to]') : null;
	return button === null ? null : Number(button.dataset.leadsTo);
}
