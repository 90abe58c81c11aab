import { useInfiniteQuery } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { api, cursorPaging } from '#web/platform/api/client.ts';

/** The search parameters of /share-folders: the recipient, the space, its folder and the search text. */
export const shareFoldersSearch = z.object({
	email: z._default(z.string(), ''),
	space: z._default(z.string(), ''),
	/** The realPaths of the folders from the top of the space to the shown folder; '' at the top. */
	path: z._default(z.string(), ''),
	q: z._default(z.string(), ''),
});

/** The search parameters of /shared: the recipient, the folder's id and the search text. */
export const sharedSearch = z.object({
	email: z._default(z.string(), ''),
	folder: z._default(z.string(), ''),
	q: z._default(z.string(), ''),
});

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
