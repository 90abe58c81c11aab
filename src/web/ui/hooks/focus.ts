import { type RefObject, useEffect, useRef, useState } from 'react';

/** Where the focus was when each of the dialogs that are open now was opened: the later ones last. */
const returnTargets: Array<HTMLElement | null> = [];

/**
 * Gives the focus back to where it was when a dialog opened; to a menu's button where it was in the menu, which is gone
 * by then; and where one dialog took another's place, to what had opened the first. Mantine's own return of the focus
 * answers to closing only, and knows only what was focused last.
 */
export function useReturnFocus(isOpen = true): void {
	const [seen, setSeen] = useState<{ isOpen: boolean; before: Array<HTMLElement | null> }>({
		isOpen: false,
		before: [],
	});
	// While drawing: afterwards the dialog has the focus.
	if (seen.isOpen !== isOpen)
		setSeen({ isOpen, before: isOpen ? [findReturnTarget(), ...returnTargets.toReversed()] : seen.before });
	const { before } = seen;
	useEffect(() => {
		if (!isOpen) return;
		const ownTarget = before[0] ?? null;
		returnTargets.push(ownTarget);
		return () => {
			returnTargets.splice(returnTargets.lastIndexOf(ownTarget), 1);
			// A dialog that fades away still holds the focus; one that is gone has left it nowhere.
			const active = document.activeElement;
			const isLost = active === null || active === document.body || active.closest('[role="dialog"]') !== null;
			const target = before.find((element) => element?.isConnected === true);
			if (isLost) target?.focus({ preventScroll: true });
		};
	}, [isOpen, before]);
}

function findReturnTarget(): HTMLElement | null {
	const active = document.activeElement;
	const menu = active?.closest('[role="menu"]');
	const button = menu && document.getElementById(menu.getAttribute('aria-labelledby') ?? '');
	const target = button ?? active;
	return target instanceof HTMLElement ? target : null;
}

/**
 * Takes over the focus that a move within a screen has put on the screen's own heading: for the heading of what has
 * arrived there.
 */
export function useHeadingFocus<E extends HTMLElement>(): RefObject<E | null> {
	const heading = useRef<E>(null);
	useEffect(() => {
		if (document.activeElement?.tagName === 'H1') heading.current?.focus({ preventScroll: true });
	}, []);
	return heading;
}
