import { useEffect, useRef } from 'react';

/** What Escape does in each of the dialogs that are open now: the later ones last. */
const openDialogs: Array<{ current: (() => void) | undefined }> = [];

/**
 * Escape is for the dialog on top alone. Mantine's dialogs each hear it for themselves, so that one press would close a
 * picture, and the review below it too. Without `onEscape` the press does nothing.
 */
export function useEscape(isOpen: boolean, onEscape: (() => void) | undefined): void {
	const latest = useRef(onEscape);
	useEffect(() => {
		latest.current = onEscape;
	});
	useEffect(() => {
		if (!isOpen) return;
		if (openDialogs.length === 0) window.addEventListener('keydown', handleEscape, { capture: true });
		openDialogs.push(latest);
		return () => {
			openDialogs.splice(openDialogs.lastIndexOf(latest), 1);
			if (openDialogs.length === 0) window.removeEventListener('keydown', handleEscape, { capture: true });
		};
	}, [isOpen]);
}

function handleEscape({ key, isComposing, target }: KeyboardEvent): void {
	if (key !== 'Escape' || isComposing) return;
	// As Mantine's own parts ask for it: a list that is open in the dialog is closed first.
	if (target instanceof Element && target.getAttribute('data-mantine-stop-propagation') === 'true') return;
	openDialogs.at(-1)?.current?.();
}
