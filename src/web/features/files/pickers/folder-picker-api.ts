import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { api } from '#web/platform/api/client.ts';

const foldersPerPage = 200;
const usersPerPage = 25;

/** The subfolders of a folder, page by page. */
export function useSubfolders({ owner, path }: { owner: string; path: string }) {
	const query = useInfiniteQuery(
		api.files.list.infiniteOptions({
			input: (cursor: string | undefined) => ({ owner, path, kind: 'folder' as const, cursor, limit: foldersPerPage }),
			initialPageParam: undefined as string | undefined,
			getNextPageParam: (last) => last.nextCursor ?? undefined,
		}),
	);
	const { data, error, isPending, hasNextPage, isFetchingNextPage } = query;
	return {
		first: data?.pages[0],
		folders: data?.pages.flatMap((page) => page.items) ?? [],
		error,
		isPending,
		hasMore: hasNextPage,
		isLoadingMore: isFetchingNextPage,
		loadMore: () => void query.fetchNextPage(),
		retry: () => void query.refetch(),
	};
}

/** Users whose email address contains the text, to choose their spaces. */
export function useUserSearch(search: string) {
	const input = { search: search.trim() || undefined, limit: usersPerPage };
	return useQuery(api.people.list.queryOptions({ input, placeholderData: keepPreviousData }));
}
