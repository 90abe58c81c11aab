import { useWindowEvent } from '@mantine/hooks';
import { type PointerEvent, type RefObject, useRef } from 'react';

/** `swipePx`: minimum length in CSS px. `sidewaysFactor`: minimum ratio of horizontal to vertical length. */
const swipePx = 48;
const sidewaysFactor = 1.6;

/** A swipe to the left goes to the next page. Lengths in CSS px. */
export function swipeDirection(dx: number, dy: number): 1 | -1 | 0 {
	if (Math.abs(dx) < swipePx || Math.abs(dx) < Math.abs(dy) * sidewaysFactor) return 0;
	return dx < 0 ? 1 : -1;
}

/** Limits of a tap: movement in CSS px and duration in ms. */
const tapSlipPx = 10;
const tapMs = 350;
/** Taps in a zone of this width at each side turn the page. As a share of the viewport's width. */
const tapSide = 0.25;

export function tapDirection(share: number): 1 | -1 | 0 {
	if (share < tapSide) return -1;
	return share > 1 - tapSide ? 1 : 0;
}

interface PageKeysOptions {
	box: RefObject<HTMLElement | null>;
	turnPage: (step: 1 | -1) => void;
	pageCount: number;
	onPage: (page: number) => void;
}

/** Page Up, Page Down and the space bar first scroll the page and then turn it. */
export function usePageKeys({ box, turnPage, pageCount, onPage }: PageKeysOptions): void {
	/** @returns false if the browser must scroll instead */
	const scrollOrTurn = (step: 1 | -1) => (event: KeyboardEvent) => {
		const element = box.current;
		if (element === null || (event.key === ' ' && event.target !== element && event.target !== document.body))
			return false;
		const remainingPx =
			step === 1 ? element.scrollHeight - element.clientHeight - element.scrollTop : element.scrollTop;
		if (remainingPx <= 1) return turnPage(step);
		if (element.contains(document.activeElement)) return false;
		element.scrollBy({ top: step * element.clientHeight * 0.9 });
	};
	const actions: Record<string, (event: KeyboardEvent) => unknown> = {
		ArrowLeft: () => turnPage(-1),
		ArrowRight: () => turnPage(1),
		Home: () => onPage(1),
		End: () => onPage(pageCount),
		PageUp: scrollOrTurn(-1),
		PageDown: scrollOrTurn(1),
		' ': scrollOrTurn(1),
		'Shift+ ': scrollOrTurn(-1),
	};
	useWindowEvent('keydown', (event) => {
		if (event.ctrlKey || event.metaKey || event.altKey || hasOwnKeyboardHandling(event.target)) return;
		// With Shift, arrow keys select text.
		if (event.shiftKey && event.key !== ' ') return;
		const act = actions[event.shiftKey ? 'Shift+ ' : event.key];
		if (act !== undefined && act(event) !== false) event.preventDefault();
	});
}

/** Whether the element handles keys itself, such as a text field. */
export function hasOwnKeyboardHandling(target: EventTarget | null): boolean {
	return target instanceof HTMLElement && target.matches('input, textarea, select, [role="menuitem"], [role="slider"]');
}

/** `x` and `y`: position in the window, in CSS px. `share`: horizontal position as a share of the viewport's width. */
export interface PageTap {
	target: EventTarget;
	x: number;
	y: number;
	share: number;
}

interface PageTouchOptions {
	turnPage: (step: 1 | -1) => void;
	canSwipe?: boolean;
	onTap?: (tap: PageTap) => void;
}

/** Turns pages by swipes, unless the page is wider than the viewport and must be panned. Reports taps. */
export function usePageTouch(
	viewport: RefObject<HTMLElement | null>,
	{ turnPage, canSwipe = true, onTap }: PageTouchOptions,
) {
	const start = useRef<{ x: number; y: number; at: number } | null>(null);
	return {
		onPointerDown: (event: PointerEvent) => {
			const isFinger = event.pointerType === 'touch' && event.isPrimary;
			start.current = isFinger ? { x: event.clientX, y: event.clientY, at: event.timeStamp } : null;
		},
		onPointerUp: (event: PointerEvent) => {
			const from = start.current;
			start.current = null;
			const element = viewport.current;
			// While text is selected, a tap only clears the selection.
			if (from === null || element === null || document.getSelection()?.isCollapsed === false) return;
			const dx = event.clientX - from.x;
			const dy = event.clientY - from.y;
			if (Math.hypot(dx, dy) < tapSlipPx && event.timeStamp - from.at < tapMs) {
				// Links and annotations handle taps themselves.
				if (event.target instanceof Element && event.target.closest('a, button') !== null) return;
				const { left, width } = element.getBoundingClientRect();
				const { target, clientX: x, clientY: y } = event;
				onTap?.({ target, x, y, share: (x - left) / Math.max(1, width) });
				return;
			}
			if (!canSwipe || element.scrollWidth > element.clientWidth + 1) return;
			const step = swipeDirection(dx, dy);
			if (step !== 0) turnPage(step);
		},
		onPointerCancel: () => {
			start.current = null;
		},
	};
}
