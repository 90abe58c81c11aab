import { useCallback, useState } from 'react';

/** Where one was before the last jump. */
export interface JumpedFrom {
	page: number;
	goBack: () => void;
}

/** Going to a page of one's own choice, and back to the one from which one went there. A page further is no jump. */
export function useJumps(page: number, goTo: (page: number) => void) {
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
	const before: JumpedFrom | null = from === null || from === page ? null : { page: from, goBack };
	return { jumpTo, before };
}
