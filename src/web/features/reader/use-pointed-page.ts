import { type SyntheticEvent, useEffect, useRef } from 'react';

/** Whoever only passes by rests on nothing for so long. */
const restMs = 80;

/** Says of a button that it leads to a page. */
export function leadsTo(page: number | null) {
	return { 'data-leads-to': page ?? undefined };
}

/**
 * Tells of the page that a button below leads to (see {@link leadsTo}) while somebody points at it or is about to press it:
 * drawn meanwhile, it stands there once it is pressed. Null when they go elsewhere.
 * @returns handlers for the element around the buttons
 */
export function usePointedPage(onLikely: (page: number | null) => void) {
	const timer = useRef(0);
	const told = useRef<number | null>(null);
	useEffect(() => () => window.clearTimeout(timer.current), []);
	const tell = (page: number | null, afterMs: number) => {
		window.clearTimeout(timer.current);
		if (page === told.current) return;
		timer.current = window.setTimeout(() => {
			told.current = page;
			onLikely(page);
		}, afterMs);
	};
	const rest = ({ target }: SyntheticEvent) => tell(pageOf(target), restMs);
	const press = ({ target }: SyntheticEvent) => tell(pageOf(target), 0);
	const leave = () => tell(null, restMs);
	return {
		onPointerOver: rest,
		onPointerDown: press,
		onPointerLeave: leave,
		// A finger that scrolls the list.
		onPointerCancel: leave,
		onFocus: rest,
		onBlur: leave,
	};
}

function pageOf(target: EventTarget): number | null {
	const button = target instanceof Element ? target.closest<HTMLElement>('[data-leads-to]') : null;
	return button === null ? null : Number(button.dataset.leadsTo);
}
