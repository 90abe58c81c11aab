import { type RefObject, useEffect, useRef, useState } from 'react';

/** For each open dialog, the element that had the focus before the dialog opened. The newest dialog is last. */
const returnTargets: Array<HTMLElement | null> = [];

/**
 * When a dialog closes, returns the focus to the element that had the focus before, or to the button of the menu from
 * which the dialog was opened. If this element was removed, the element of the dialog below gets the focus. Mantine
 * remembers only one element.
 */
export function useReturnFocus(isOpen = true): void {
	const [lastState, setLastState] = useState<{ isOpen: boolean; before: Array<HTMLElement | null> }>({
		isOpen: false,
		before: [],
	});
	// The focus is read during rendering. In an effect, the dialog would already have the focus.
	if (lastState.isOpen !== isOpen)
		setLastState({ isOpen, before: isOpen ? [findReturnTarget(), ...returnTargets.toReversed()] : lastState.before });
	const { before } = lastState;
	useEffect(() => {
		if (!isOpen) return;
		// The first element may have been in a dialog that this one replaces.
		const ownTarget = before.find((element) => element?.isConnected === true) ?? null;
		returnTargets.push(ownTarget);
		return () => {
			returnTargets.splice(returnTargets.lastIndexOf(ownTarget), 1);
			// While a dialog fades out, it still has the focus. After a dialog was removed, the body has the focus.
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

/** Moves the focus from the screen's heading, which has it after navigation, to the heading of the loaded content. */
export function useHeadingFocus<E extends HTMLElement>(): RefObject<E | null> {
	const heading = useRef<E>(null);
	useEffect(() => {
		if (document.activeElement?.tagName === 'H1') heading.current?.focus({ preventScroll: true });
	}, []);
	return heading;
}
