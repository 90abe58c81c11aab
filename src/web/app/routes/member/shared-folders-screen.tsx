import { useLocation, useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { BookCard } from '#web/features/book/shelf/book-card.tsx';
import { type FileListQuery, parseListQuery } from '#web/features/files/file-list-query.ts';
import { useRememberedView } from '#web/features/files/manager/file-toolbar.tsx';
import { SharedFolders, sharedFoldersSearchParams } from '#web/features/files/manager/shared-folders.tsx';

/** /dashboard/book: the editions of the book, and what is shared with the member. `?folder=` is a folder ID. */
export function SharedFoldersScreen() {
	const search: Record<string, unknown> = useLocation().search;
	const [view, rememberView] = useRememberedView();
	const listQuery = useMemo(() => parseListQuery({ ...search, path: search.folder }, view), [search, view]);
	const navigate = useNavigate();
	const change = useCallback(
		(part: Partial<FileListQuery>) => {
			if (part.view !== undefined) rememberView(part.view);
			void navigate({
				to: '.',
				search: sharedFoldersSearchParams({ ...listQuery, ...part }),
				replace: true,
				resetScroll: false,
			});
		},
		[navigate, listQuery, rememberView],
	);
	return (
		<SharedFolders listQuery={listQuery} onChange={change}>
			<BookCard />
		</SharedFolders>
	);
}
