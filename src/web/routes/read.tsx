import { useNavigate, useParams } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { ShelfEdition } from '#contract/reader/reader.ts';
import { ReaderScreen } from '#web/features/reader/reader-screen.tsx';

/** /read/{edition}: one edition of the book. */
export function ReadScreen() {
	const { edition = '' } = useParams({ strict: false });
	const navigate = useNavigate();
	const goTo = useCallback(
		({ key }: ShelfEdition) => void navigate({ to: '/read/$edition', params: { edition: key }, replace: true }),
		[navigate],
	);
	return <ReaderScreen edition={edition} onEdition={goTo} />;
}
