import { type PointerEvent, type RefObject, useEffect, useRef } from 'react';

/** Least way of a swipe in CSS px, and how much more sideways than upright it must go. */
const swipePx = 48;
const sidewaysFactor = 1.6;

/** What a finger's way over the page means; to the left goes on, as with paper. Lengths in CSS px. */
export function swipeDirection(dx: number, dy: number): 1 | -1 | 0 {
	if (Math.abs(dx) < swipePx || Math.abs(dx) < Math.abs(dy) * sidewaysFactor) return 0;
	return dx < 0 ? 1 : -1;
}

/** A tap: how far a finger may slip in CSS px, and how long it may stay. */
const tapSlipPx = 10;
const tapMs = 350;
/** At each side, as a share of the width: there a tap turns the page. */
const tapSide = 0.25;

/** What a tap at this share of the width means. */
export function tapDirection(share: number): 1 | -1 | 0 {
	if (share < tapSide) return -1;
	return share > 1 - tapSide ? 1 : 0;
}

/**
 * Arrow keys to the sides, Home and End turn pages wherever the focus is; Page Up, Page Down and the space bar where the
 * page does not scroll any further. Never while a field is typed in.
 */
export function usePageKeys(
	box: RefObject<HTMLElement | null>,
	turnPage: (step: 1 | -1) => void,
	goTo: (end: 'first' | 'last') => void,
): void {
	useEffect(() => {
		const onKey = (event: KeyboardEvent) => {
			if (event.ctrlKey || event.metaKey || event.altKey || hasOwnKeyboardHandling(event.target)) return;
			// With Shift they select.
			if (event.shiftKey && event.key !== ' ') return;
			const act = actions[event.shiftKey ? 'Shift+ ' : event.key];
			if (act === undefined || !act(event)) return;
			event.preventDefault();
		};
		/** @returns false where the box itself scrolls */
		const scrollOrTurn = (step: 1 | -1) => (event: KeyboardEvent) => {
			const element = box.current;
			// On a button the space bar presses.
			if (element === null || (event.key === ' ' && event.target !== element && event.target !== document.body))
				return false;
			const remainingPx =
				step === 1 ? element.scrollHeight - element.clientHeight - element.scrollTop : element.scrollTop;
			if (remainingPx > 1) {
				if (element.contains(document.activeElement)) return false;
				element.scrollBy({ top: step * element.clientHeight * 0.9 });
			} else turnPage(step);
			return true;
		};
		const actions: Record<string, (event: KeyboardEvent) => boolean> = {
			ArrowLeft: () => {
				turnPage(-1);
				return true;
			},
			ArrowRight: () => {
				turnPage(1);
				return true;
			},
			Home: () => {
				goTo('first');
				return true;
			},
			End: () => {
				goTo('last');
				return true;
			},
			PageUp: scrollOrTurn(-1),
			PageDown: scrollOrTurn(1),
			' ': scrollOrTurn(1),
			'Shift+ ': scrollOrTurn(-1),
		};
		document.addEventListener('keydown', onKey);
		return () => document.removeEventListener('keydown', onKey);
	}, [box, turnPage, goTo]);
}

/** Where keys are typed, or mean something already. */
export function hasOwnKeyboardHandling(target: EventTarget | null): boolean {
	return target instanceof HTMLElement && target.matches('input, textarea, select, [role="menuitem"], [role="slider"]');
}

interface TouchHandlers {
	onPointerDown: (event: PointerEvent) => void;
	onPointerUp: (event: PointerEvent) => void;
	onPointerCancel: () => void;
}

/** A finger's tap on the pages; `x`, `y` in CSS px of the window. */
export interface PageTap {
	target: EventTarget;
	x: number;
	y: number;
	share: number;
}

interface PageTouchOptions {
	turnPage: (step: 1 | -1) => void;
	/** A swipe turns: one page at a time. */
	canSwipe?: boolean;
	/** Where a finger tapped: on what, and how far across the desk, as a share of its width. */
	onTap?: (tap: PageTap) => void;
}

/** Turns pages by a finger, while the page fits the desk (a zoomed page is moved about instead), and hears taps on it. */
export function usePageTouch(
	viewport: RefObject<HTMLElement | null>,
	{ turnPage: turn, canSwipe = true, onTap }: PageTouchOptions,
): TouchHandlers {
	const start = useRef<{ x: number; y: number; at: number } | null>(null);
	return {
		onPointerDown: (event) => {
			const isFinger = event.pointerType === 'touch' && event.isPrimary;
			start.current = isFinger ? { x: event.clientX, y: event.clientY, at: event.timeStamp } : null;
		},
		onPointerUp: (event) => {
			const from = start.current;
			start.current = null;
			const element = viewport.current;
			// A finger beside selected text takes the selection away, and does no more.
			if (from === null || element === null || hasSelection()) return;
			const dx = event.clientX - from.x;
			const dy = event.clientY - from.y;
			if (Math.hypot(dx, dy) < tapSlipPx && event.timeStamp - from.at < tapMs) {
				// A tap on a link or a mark is meant for it.
				if (event.target instanceof Element && event.target.closest('a, button') !== null) return;
				const { left, width } = element.getBoundingClientRect();
				const { target, clientX: x, clientY: y } = event;
				onTap?.({ target, x, y, share: (x - left) / Math.max(1, width) });
				return;
			}
			if (!canSwipe || element.scrollWidth > element.clientWidth + 1) return;
			const step = swipeDirection(dx, dy);
			if (step !== 0) turn(step);
		},
		onPointerCancel: () => {
			start.current = null;
		},
	};
}

function hasSelection(): boolean {
	return document.getSelection()?.isCollapsed === false;
}
