import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { type ListingPage, type ListingRange, ListingRows } from './listing-rows.ts';

/** Data of a listing besides its rows. */
export interface ListingSummary {
	/** Totals of the whole folder, without search and filter; undefined if not counted. */
	totals?: { folders: number; files: number; size: number } | undefined;
	/** Undefined where only reading is possible. */
	can?: { write: boolean };
	/** Undefined if the nodes are from several spaces. */
	space?: { id: string } | undefined;
}

/** A list of folders and files with the rows loaded so far. */
export interface Listing<Summary extends ListingSummary = ListingSummary> {
	/** Undefined while the first page is loading or when it failed. */
	first: Summary | undefined;
	/** Defined whenever `first` is. */
	rows: ListingRows | undefined;
	isEmpty: boolean;
	/** Whether the rows are still those of the previous search or order, while the new ones are loading. */
	isStale: boolean;
	/** The query of the first page. */
	query: Pick<UseQueryResult, 'error' | 'isFetching' | 'refetch'>;
}

interface ListingOptions {
	/** A change of this key clears the rows. */
	folderKey: string;
	/** While only this key changes (search, filter or order), the previous list stays until the new one has loaded. */
	listKey: string;
	/** Loads a later page, or reloads a segment. */
	fetchPage: (range: ListingRange) => Promise<ListingPage>;
	/** Whether a changed list can be reloaded in segments; otherwise it is loaded from the start. */
	canReloadSegments?: boolean;
}

interface LoadedListing<Page> {
	folderKey: string;
	listKey: string;
	first: Page;
	rows: ListingRows;
	loadedAt: number;
}

/** Keeps the rows of a list while search, order or content change. */
export function useListing<Page extends ListingPage & ListingSummary>(
	query: UseQueryResult<Page>,
	{ folderKey, listKey, fetchPage, canReloadSegments = true }: ListingOptions,
): Listing<Page> {
	const { data, dataUpdatedAt } = query;
	const loaded = useRef<LoadedListing<Page> | undefined>(undefined);
	const isNew =
		loaded.current?.listKey !== listKey ||
		(loaded.current.loadedAt !== dataUpdatedAt && !canReloadSegments && data?.nextCursor !== null);

	if (data !== undefined && isNew) {
		const rows = new ListingRows(data, fetchPage);
		loaded.current = { folderKey, listKey, first: data, rows, loadedAt: dataUpdatedAt };
	}
	if (data === undefined && loaded.current?.folderKey !== folderKey) loaded.current = undefined;
	const shown = loaded.current;
	if (shown !== undefined && shown.listKey === listKey && data !== undefined) shown.first = data;

	useEffect(() => {
		const listing = loaded.current;
		if (listing?.listKey !== listKey || data === undefined || listing.loadedAt === dataUpdatedAt) return;
		listing.loadedAt = dataUpdatedAt;
		listing.rows.refresh(data);
	}, [data, dataUpdatedAt, listKey]);
	useEffect(() => () => shown?.rows.hideAll(), [shown]);

	return {
		first: shown?.first,
		rows: shown?.rows,
		// Determined from the newest first page, because the rows may be older.
		isEmpty: shown !== undefined && shown.first.items.length === 0 && shown.first.nextCursor === null,
		isStale: shown !== undefined && shown.listKey !== listKey,
		query,
	};
}
