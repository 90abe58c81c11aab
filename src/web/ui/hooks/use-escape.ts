import { useEffect, useEffectEvent } from 'react';

/** Escape handlers of the open dialogs; the topmost dialog is last. */
const openDialogs: Array<() => void> = [];

/** Handles Escape for the topmost dialog only; Mantine would close all dialogs. */
export function useEscape(isOpen: boolean, onEscape: (() => void) | undefined): void {
	const handle = useEffectEvent(() => onEscape?.());
	useEffect(() => {
		if (!isOpen) return;
		const handler = () => handle();
		if (openDialogs.length === 0) window.addEventListener('keydown', handleEscape, { capture: true });
		openDialogs.push(handler);
		return () => {
			openDialogs.splice(openDialogs.lastIndexOf(handler), 1);
			if (openDialogs.length === 0) window.removeEventListener('keydown', handleEscape, { capture: true });
		};
	}, [isOpen]);
}

function handleEscape({ key, isComposing, target }: KeyboardEvent): void {
	if (key !== 'Escape' || isComposing) return;
	// Mantine sets this attribute while a list is open in the dialog: Escape closes only the list.
	if (target instanceof Element && target.getAttribute('data-mantine-stop-propagation') === 'true') return;
	openDialogs.at(-1)?.();
}
