import { useLocation, useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { type FilePlace, parseFilePlace } from '#web/features/files/file-place.ts';
import { SharedManager, searchOfShared } from '#web/features/files/shared-manager.tsx';
import { useRememberedView } from '#web/features/files/use-remembered-view.ts';
import { BookCard } from '#web/features/reader/book-card.tsx';

/** /dashboard/book: the editions of the book, and what is shared with the person; `?folder=` is the id of the one shown. */
export function SharedFoldersScreen() {
	const search: Record<string, unknown> = useLocation().search;
	const [view, rememberView] = useRememberedView();
	const place = useMemo(() => parseFilePlace({ ...search, path: search.folder }, view), [search, view]);
	const navigate = useNavigate();
	const change = useCallback(
		(part: Partial<FilePlace>) => {
			if (part.view !== undefined) rememberView(part.view);
			void navigate({ to: '.', search: searchOfShared({ ...place, ...part }), replace: true, resetScroll: false });
		},
		[navigate, place, rememberView],
	);
	return (
		<SharedManager place={place} onChange={change}>
			<BookCard />
		</SharedManager>
	);
}
