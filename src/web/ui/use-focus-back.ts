import { useEffect, useState } from 'react';

/**
 * Gives the focus back to where it was when a component that was mounted open goes away. Mantine's own return of the
 * focus answers to closing only: a dialog that is unmounted would leave the keyboard at the top of the page.
 */
export function useFocusBack(isOpen = true): void {
	const [before] = useState(() => (isOpen ? document.activeElement : null));
	useEffect(
		() => () => {
			const isLost = document.activeElement === null || document.activeElement === document.body;
			if (isLost && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
		},
		[before],
	);
}
