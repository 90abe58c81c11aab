import { type RefObject, useEffect, useRef, useState } from 'react';

/** Elements that had the focus when each of the open dialogs was opened, the latest last. */
const returnTargets: Array<HTMLElement | null> = [];

/**
 * Returns the focus when a dialog closes: to the element that had it before; to a menu's button if that element was in
 * the menu, which is closed by then; and to the opener of an earlier dialog if that dialog was replaced. Mantine's own
 * return of the focus only reacts to closing and remembers only the last focused element.
 */
export function useReturnFocus(isOpen = true): void {
	const [lastState, setLastState] = useState<{ isOpen: boolean; before: Array<HTMLElement | null> }>({
		isOpen: false,
		before: [],
	});
	// During rendering, because the dialog has the focus afterwards.
	if (lastState.isOpen !== isOpen)
		setLastState({ isOpen, before: isOpen ? [findReturnTarget(), ...returnTargets.toReversed()] : lastState.before });
	const { before } = lastState;
	useEffect(() => {
		if (!isOpen) return;
		const ownTarget = before[0] ?? null;
		returnTargets.push(ownTarget);
		return () => {
			returnTargets.splice(returnTargets.lastIndexOf(ownTarget), 1);
			// A dialog that fades out still has the focus; a dialog that was removed leaves the focus on the body.
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

/** Moves the focus from the screen's own heading, where navigation puts it, to the heading of the loaded content. */
export function useHeadingFocus<E extends HTMLElement>(): RefObject<E | null> {
	const heading = useRef<E>(null);
	useEffect(() => {
		if (document.activeElement?.tagName === 'H1') heading.current?.focus({ preventScroll: true });
	}, []);
	return heading;
}
