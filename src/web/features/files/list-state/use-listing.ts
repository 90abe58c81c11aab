import { useEffect, useRef } from 'react';
import { describeFailure, type Failure } from '#web/platform/api/failure.ts';
import type { ListingPage, ListingRows } from './listing-rows.ts';

/** What a listing says beside its rows. */
export interface ListingSummary {
	/** Of the whole folder, without search and filter; undefined where nobody has counted. */
	totals?: { folders: number; files: number; size: number } | undefined;
	can: { write: boolean };
	/** Undefined where entries come from many spaces. */
	space?: { id: string } | undefined;
}

/** One list of folders and files, as far as it has been fetched. */
export interface Listing<Summary extends ListingSummary = ListingSummary> {
	/** Undefined while the first page is under way or when it failed. */
	first: Summary | undefined;
	/** There whenever `first` is. */
	rows: ListingRows | undefined;
	isEmpty: boolean;
	failure: Failure | undefined;
	isLoading: boolean;
	/** What stands here belongs to the search or order before; the new one is under way. */
	isStale: boolean;
	retry: () => void;
}

/** The query of a first page, as far as a listing needs it. */
interface FirstPageQuery<Page> {
	data: Page | undefined;
	dataUpdatedAt: number;
	error: unknown;
	isFetching: boolean;
	refetch: () => unknown;
}

interface ListingOptions<Page> {
	/** Another folder begins with nothing. */
	folderKey: string;
	/** While only search, filter or order change, the list before stands until the new one is there. */
	listKey: string;
	/** Makes the rows that begin with a first page. */
	createRows: (first: Page) => ListingRows;
	/** Whether a changed list can be read anew in parts; it begins again otherwise. */
	canReloadSegments?: boolean;
}

interface LoadedListing<Page> {
	folderKey: string;
	listKey: string;
	first: Page;
	rows: ListingRows;
	loadedAt: number;
}

/** Holds the rows of a list over searches, orders and changes made elsewhere. */
export function useListing<Page extends ListingPage & ListingSummary>(
	query: FirstPageQuery<Page>,
	{ folderKey, listKey, createRows, canReloadSegments = true }: ListingOptions<Page>,
): Listing<Page> {
	const { data, dataUpdatedAt } = query;
	const loaded = useRef<LoadedListing<Page> | undefined>(undefined);
	const isNew =
		loaded.current?.listKey !== listKey ||
		(loaded.current.loadedAt !== dataUpdatedAt && !canReloadSegments && data?.nextCursor !== null);

	if (data !== undefined && isNew)
		loaded.current = { folderKey, listKey, first: data, rows: createRows(data), loadedAt: dataUpdatedAt };
	if (data === undefined && loaded.current?.folderKey !== folderKey) loaded.current = undefined;
	const shown = loaded.current;
	if (shown !== undefined && shown.listKey === listKey && data !== undefined) shown.first = data;

	useEffect(() => {
		const listing = loaded.current;
		if (
			listing === undefined ||
			listing.listKey !== listKey ||
			data === undefined ||
			listing.loadedAt === dataUpdatedAt
		)
			return;
		listing.loadedAt = dataUpdatedAt;
		listing.rows.refresh(data);
	}, [data, dataUpdatedAt, listKey]);
	useEffect(() => () => shown?.rows.loadUntil(0), [shown]);

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
function isEmpty({ first }: LoadedListing<ListingPage>): boolean {
	return first.items.length === 0 && first.nextCursor === null;
}
