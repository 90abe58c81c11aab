import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { limits } from '#contract/core/limits.ts';
import { api, type CallOutputs, client } from '#web/platform/api.ts';
import { describeFailure, type Failure } from '#web/platform/failure.ts';
import type { FilePlace } from './file-place.ts';
import { ListingRows } from './listing-rows.ts';

type FolderPage = CallOutputs['files']['list'];

/** The first page is small, so that it is there at once; the others carry as much as a call may. */
const firstRows = 200;

/** One folder of one space, as far as it has been fetched. */
export interface Folder {
	/** Undefined while the first page is under way or when it failed. */
	first: Pick<FolderPage, 'breadcrumb' | 'totals' | 'can' | 'use' | 'space'> | undefined;
	/** There whenever `first` is. */
	rows: ListingRows | undefined;
	isEmpty: boolean;
	failure: Failure | undefined;
	isLoading: boolean;
	/** What stands here belongs to the search or order before; the new one is under way. */
	isStale: boolean;
	retry: () => void;
}

interface Shown {
	folderKey: string;
	listKey: string;
	first: FolderPage;
	rows: ListingRows;
	readAt: number;
}

/** Reads a folder page by page. While only search, filter or order change, the list before stands until the new one is there. */
export function useFolder(owner: string, { path, q, type, sort, order }: FilePlace): Folder {
	const folderKey = `${owner}\n${path}`;
	const search = q.trim();
	const input = { owner, path, search: search === '' ? undefined : search, type, sort, order };
	const listKey = JSON.stringify(input);
	const query = useQuery(
		api.files.list.queryOptions({ input: { ...input, limit: firstRows }, structuralSharing: false }),
	);
	const { data, dataUpdatedAt } = query;
	const held = useRef<Shown | undefined>(undefined);

	if (data !== undefined && held.current?.listKey !== listKey) {
		const rows = new ListingRows(data, (range) => client.files.list({ ...input, ...range, limit: limits.pageSizeMax }));
		held.current = { folderKey, listKey, first: data, rows, readAt: dataUpdatedAt };
	}
	if (data === undefined && held.current?.folderKey !== folderKey) held.current = undefined;
	const shown = held.current;
	if (shown !== undefined && shown.listKey === listKey && data !== undefined) shown.first = data;

	useEffect(() => {
		const now = held.current;
		if (now === undefined || now.listKey !== listKey || data === undefined || now.readAt === dataUpdatedAt) return;
		now.readAt = dataUpdatedAt;
		now.rows.renew(data);
	}, [data, dataUpdatedAt, listKey]);
	useEffect(() => () => shown?.rows.want(0), [shown]);

	return {
		first: shown?.first,
		rows: shown?.rows,
		isEmpty: shown !== undefined && isEmpty(shown),
		failure: query.error === null ? undefined : describeFailure(query.error),
		isLoading: query.isFetching,
		isStale: shown !== undefined && shown.listKey !== listKey,
		retry: () => void query.refetch(),
	};
}

/** By the newest first page: what is held may be older by a moment. */
function isEmpty({ first }: Shown): boolean {
	return first.items.length === 0 && first.nextCursor === null;
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

export function useRenameNode() {
	const onSuccess = useFilesChanged();
	return useMutation(api.files.rename.mutationOptions({ onSuccess }));
}
