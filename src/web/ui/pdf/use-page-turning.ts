import { type PointerEvent, type RefObject, useEffect, useRef } from 'react';

/** Least way of a swipe in CSS px, and how much more sideways than upright it must go. */
const swipePx = 48;
const sidewaysFactor = 1.6;

/** What a finger's way over the page means; to the left goes on, as with paper. Lengths in CSS px. */
export function swipeOf(dx: number, dy: number): 1 | -1 | 0 {
	if (Math.abs(dx) < swipePx || Math.abs(dx) < Math.abs(dy) * sidewaysFactor) return 0;
	return dx < 0 ? 1 : -1;
}

/** Arrow keys to the sides, Home and End turn pages wherever the focus is, but never while a field is typed in. */
export function usePageKeys(turn: (step: 1 | -1) => void, goTo: (end: 'first' | 'last') => void): void {
	useEffect(() => {
		const onKey = (event: KeyboardEvent) => {
			if (event.ctrlKey || event.metaKey || event.altKey || isOwnKeys(event.target)) return;
			const act = actions[event.key];
			if (act === undefined) return;
			event.preventDefault();
			act();
		};
		const actions: Record<string, () => void> = {
			ArrowLeft: () => turn(-1),
			ArrowRight: () => turn(1),
			Home: () => goTo('first'),
			End: () => goTo('last'),
		};
		document.addEventListener('keydown', onKey);
		return () => document.removeEventListener('keydown', onKey);
	}, [turn, goTo]);
}

function isOwnKeys(target: EventTarget | null): boolean {
	return target instanceof HTMLElement && target.matches('input, textarea, select, [role="menuitem"], [role="slider"]');
}

interface SwipeHandlers {
	onPointerDown: (event: PointerEvent) => void;
	onPointerUp: (event: PointerEvent) => void;
	onPointerCancel: () => void;
}

/** Turns pages by a finger, while the page fits the desk (a zoomed page is moved about instead). */
export function useSwipe(desk: RefObject<HTMLElement | null>, turn: (step: 1 | -1) => void): SwipeHandlers {
	const start = useRef<{ x: number; y: number } | null>(null);
	return {
		onPointerDown: (event) => {
			start.current = event.pointerType === 'touch' && event.isPrimary ? { x: event.clientX, y: event.clientY } : null;
		},
		onPointerUp: (event) => {
			const from = start.current;
			start.current = null;
			const element = desk.current;
			if (from === null || element === null || element.scrollWidth > element.clientWidth + 1) return;
			const step = swipeOf(event.clientX - from.x, event.clientY - from.y);
			if (step !== 0) turn(step);
		},
		onPointerCancel: () => {
			start.current = null;
		},
	};
}
