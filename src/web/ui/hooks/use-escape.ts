import { useEffect, useRef } from 'react';

/** Escape handlers of the open dialogs, the latest last. */
const openDialogs: Array<{ current: (() => void) | undefined }> = [];

/** Handles Escape for the topmost dialog only: each of Mantine's listens by itself. Without `onEscape`: nothing. */
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
	// Mantine's own convention: a list that is open in the dialog closes first.
	if (target instanceof Element && target.getAttribute('data-mantine-stop-propagation') === 'true') return;
	openDialogs.at(-1)?.current?.();
}
