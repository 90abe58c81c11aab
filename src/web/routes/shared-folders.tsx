import { useLocation, useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { type FilePlace, parseFilePlace } from '#web/features/files/file-place.ts';
import { SharedManager, searchOfShared } from '#web/features/files/shared-manager.tsx';
import { BookCard } from '#web/features/reader/book-card.tsx';

/** /dashboard/book: the editions of the book, and what is shared with the person; `?folder=` is the id of the one shown. */
export function SharedFoldersScreen() {
	const search: Record<string, unknown> = useLocation().search;
	const place = useMemo(() => parseFilePlace({ ...search, path: search.folder }), [search]);
	const navigate = useNavigate();
	const change = useCallback(
		(part: Partial<FilePlace>) =>
			void navigate({ to: '.', search: searchOfShared({ ...place, ...part }), replace: true, resetScroll: false }),
		[navigate, place],
	);
	return (
		<SharedManager place={place} onChange={change}>
			<BookCard />
		</SharedManager>
	);
}
