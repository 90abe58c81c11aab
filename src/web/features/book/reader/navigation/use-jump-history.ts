import { useCallback, useState } from 'react';

export interface JumpOrigin {
	page: number;
	goBack: () => void;
}

/** Jumps to a page, and back to the page before the jump. Moving by a single page is not a jump. */
export function useJumpHistory(page: number, goTo: (page: number) => void) {
	const [from, setFrom] = useState<number | null>(null);
	const jumpTo = useCallback(
		(to: number) => {
			if (Math.abs(to - page) > 1) setFrom(page);
			goTo(to);
		},
		[page, goTo],
	);
	const goBack = useCallback(() => {
		if (from !== null) goTo(from);
		setFrom(null);
	}, [from, goTo]);
	const jumpOrigin: JumpOrigin | null = from === null || from === page ? null : { page: from, goBack };
	return { jumpTo, jumpOrigin };
}
