import { useEffect, useState } from 'react';

/** Where the focus was when each of the dialogs that are open now was opened: the later ones last. */
const places: Array<HTMLElement | null> = [];

/**
 * Gives the focus back to where it was when a dialog opened; to a menu's button where it was in the menu, which is gone
 * by then; and where one dialog took another's place, to what had opened the first. Mantine's own return of the focus
 * answers to closing only, and knows only what was focused last.
 */
export function useFocusBack(isOpen = true): void {
	const [seen, setSeen] = useState<{ isOpen: boolean; before: Array<HTMLElement | null> }>({
		isOpen: false,
		before: [],
	});
	// While drawing: afterwards the dialog has the focus.
	if (seen.isOpen !== isOpen) setSeen({ isOpen, before: isOpen ? [findPlace(), ...places.toReversed()] : seen.before });
	const { before } = seen;
	useEffect(() => {
		if (!isOpen) return;
		const own = before[0] ?? null;
		places.push(own);
		return () => {
			places.splice(places.lastIndexOf(own), 1);
			// A dialog that fades away still holds the focus; one that is gone has left it nowhere.
			const active = document.activeElement;
			const isLost = active === null || active === document.body || active.closest('[role="dialog"]') !== null;
			const place = before.find((element) => element?.isConnected === true);
			if (isLost) place?.focus({ preventScroll: true });
		};
	}, [isOpen, before]);
}

function findPlace(): HTMLElement | null {
	const active = document.activeElement;
	const menu = active?.closest('[role="menu"]');
	const button = menu && document.getElementById(menu.getAttribute('aria-labelledby') ?? '');
	const place = button ?? active;
	return place instanceof HTMLElement ? place : null;
}
