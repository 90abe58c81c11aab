import { useCallback, useState } from 'react';

/** Where one was before the last jump. */
export interface JumpOrigin {
	page: number;
	goBack: () => void;
}

/** Going to a page of one's own choice, and back to the one from which one went there. A page further is no jump. */
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
	const before: JumpOrigin | null = from === null || from === page ? null : { page: from, goBack };
	return { jumpTo, before };
}
