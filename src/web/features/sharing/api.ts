import { useInfiniteQuery } from '@tanstack/react-query';
import { api, cursorPaging } from '#web/platform/api/client.ts';
import { orElse, stateOf, text } from '#web/platform/browser/readers.ts';

/** The search parameters of /share-folders: the recipient, the space, its folder and the search text. */
export const shareFoldersSearch = stateOf({
	email: orElse(text(), ''),
	space: orElse(text(), ''),
	/** The realPaths of the folders from the top of the space to the shown folder; '' at the top. */
	path: orElse(text(), ''),
	q: orElse(text(), ''),
});

/** The search parameters of /shared: the recipient, the folder's id and the search text. */
export const sharedSearch = stateOf({
	email: orElse(text(), ''),
	folder: orElse(text(), ''),
	q: orElse(text(), ''),
});

/** Whether files of a space can be shared: all members read the guest space, and the book's files open in the reader. */
export function canShareFrom(owner: string): boolean {
	return !['guest', 'book'].includes(owner.toLowerCase());
}

/** Lists the users who can read a node or are excluded from it, sorted by email address. */
export function useReaders(id: string, isEnabled = true) {
	return useInfiniteQuery(
		api.sharing.readers.infiniteOptions({
			...cursorPaging,
			input: (cursor) => ({ id, cursor, limit: 50 }),
			enabled: isEnabled && id !== '',
		}),
	);
}
