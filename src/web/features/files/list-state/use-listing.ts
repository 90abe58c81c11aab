import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { type ListingPage, type ListingRange, ListingRows } from './listing-rows.ts';

export interface ListingSummary {
	/** Totals of the whole folder, without search and filter; undefined if not counted. */
	totals?: { folders: number; files: number; size: number } | undefined;
	/** Undefined for a read-only list. */
	can?: { write: boolean };
	/** Undefined if the nodes are from several spaces. */
	space?: { id: string } | undefined;
}

export interface Listing<Summary extends ListingSummary = ListingSummary> {
	/** Undefined while the first page is loading or if the request failed. */
	first: Summary | undefined;
	/** Defined whenever `first` is. */
	rows: ListingRows | undefined;
	isEmpty: boolean;
	/** Whether the rows belong to the previous search, filter or order while new rows are loading. */
	isStale: boolean;
	query: Pick<UseQueryResult, 'error' | 'isFetching' | 'refetch'>;
}

interface ListingOptions {
	/** A change of this key clears the rows. */
	folderKey: string;
	/** When only this key changes (search, filter or order), the previous rows stay until the new rows have loaded. */
	listKey: string;
	fetchPage: (range: ListingRange) => Promise<ListingPage>;
	/** Whether a changed list is reloaded in segments, instead of from the start. */
	canReloadSegments?: boolean;
}

interface LoadedListing<Page> {
	folderKey: string;
	listKey: string;
	first: Page;
	rows: ListingRows;
	loadedAt: number;
}

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
		// Depends on the first page, because the rows may be older.
		isEmpty: shown !== undefined && shown.first.items.length === 0 && shown.first.nextCursor === null,
		isStale: shown !== undefined && shown.listKey !== listKey,
		query,
	};
}
