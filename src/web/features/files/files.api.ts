import type { InferContractRouterOutputs } from '@orpc/contract';
import { type InfiniteData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Contract } from '#contract/contract.ts';
import type { Node } from '#contract/files/files.ts';
import { api } from '#web/platform/api.ts';
import { describeFailure, type Failure } from '#web/platform/failure.ts';
import type { FilePlace } from './file-place.ts';

type FolderPage = InferContractRouterOutputs<Contract>['files']['list'];

const rowsAtOnce = 100;

/** One folder of one space, as far as it has been fetched. */
export interface Folder {
	/** Undefined while the first page is under way or when it failed. */
	first: Pick<FolderPage, 'breadcrumb' | 'totals' | 'can' | 'space'> | undefined;
	folders: Node[];
	files: Node[];
	failure: Failure | undefined;
	isLoading: boolean;
	/** What stands here belongs to the search before; the new one is under way. */
	isStale: boolean;
	hasMore: boolean;
	isLoadingMore: boolean;
	loadMore: () => void;
	retry: () => void;
}

/** Reads a folder page by page. While only search or filter change, the list before stands until the new one is there. */
export function useFolder(owner: string, { path, q, type }: FilePlace): Folder {
	const folderKey = `${owner}\n${path}`;
	const search = q.trim();
	const query = useInfiniteQuery({
		...api.files.list.infiniteOptions({
			input: (cursor: string | undefined) => ({
				owner,
				path,
				search: search === '' ? undefined : search,
				type,
				cursor,
				limit: rowsAtOnce,
			}),
			initialPageParam: undefined,
			getNextPageParam: (last) => last.nextCursor ?? undefined,
		}),
		meta: { folderKey },
		placeholderData: (previous: InfiniteData<FolderPage, string | undefined> | undefined, before) =>
			before?.meta?.folderKey === folderKey ? previous : undefined,
	});
	const { data, fetchNextPage, isFetchingNextPage, refetch } = query;
	const items = useMemo(() => data?.pages.flatMap((page) => page.items) ?? [], [data]);
	return {
		first: data?.pages[0],
		folders: useMemo(() => items.filter((item) => item.kind === 'folder'), [items]),
		files: useMemo(() => items.filter((item) => item.kind === 'file'), [items]),
		failure: query.error === null ? undefined : describeFailure(query.error),
		isLoading: query.isPending,
		isStale: query.isPlaceholderData,
		hasMore: query.hasNextPage,
		isLoadingMore: isFetchingNextPage,
		loadMore: () => void (isFetchingNextPage || fetchNextPage()),
		retry: () => void refetch(),
	};
}

/** Lists are asked for again after any change; the event line does the same for changes made elsewhere. */
export function useFilesChanged(): () => void {
	const queryClient = useQueryClient();
	return () => void queryClient.invalidateQueries({ queryKey: api.files.key() });
}

export function useCreateFolder() {
	const onSuccess = useFilesChanged();
	return useMutation(api.files.createFolder.mutationOptions({ onSuccess }));
}

export function useRenameFolder() {
	const onSuccess = useFilesChanged();
	return useMutation(api.files.rename.mutationOptions({ onSuccess }));
}

export function useRemoveNode() {
	const onSuccess = useFilesChanged();
	return useMutation(api.files.remove.mutationOptions({ onSuccess }));
}
