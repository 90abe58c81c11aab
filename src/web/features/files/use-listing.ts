import { useEffect, useRef } from 'react';
import { describeFailure, type Failure } from '#web/platform/failure.ts';
import type { ListingPage, ListingRows } from './listing-rows.ts';

/** What a listing says beside its rows. */
export interface ListingHead {
	/** Of the whole folder, without search and filter; undefined where nobody has counted. */
	totals?: { folders: number; files: number; size: number } | undefined;
	can: { write: boolean };
	/** Undefined where entries come from many spaces. */
	space?: { id: string } | undefined;
}

/** One list of folders and files, as far as it has been fetched. */
export interface Listing<Head extends ListingHead = ListingHead> {
	/** Undefined while the first page is under way or when it failed. */
	first: Head | undefined;
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
interface FirstPage<Page> {
	data: Page | undefined;
	dataUpdatedAt: number;
	error: unknown;
	isFetching: boolean;
	refetch: () => unknown;
}

interface ListingParts<Page> {
	/** Another folder begins with nothing. */
	folderKey: string;
	/** While only search, filter or order change, the list before stands until the new one is there. */
	listKey: string;
	/** Makes the rows that begin with a first page. */
	begin: (first: Page) => ListingRows;
	/** Whether a changed list can be read anew in parts; it begins again otherwise. */
	isRenewable?: boolean;
}

interface Shown<Page> {
	folderKey: string;
	listKey: string;
	first: Page;
	rows: ListingRows;
	readAt: number;
}

/** Holds the rows of a list over searches, orders and changes made elsewhere. */
export function useListing<Page extends ListingPage & ListingHead>(
	query: FirstPage<Page>,
	{ folderKey, listKey, begin, isRenewable = true }: ListingParts<Page>,
): Listing<Page> {
	const { data, dataUpdatedAt } = query;
	const held = useRef<Shown<Page> | undefined>(undefined);
	const isNew =
		held.current?.listKey !== listKey ||
		(held.current.readAt !== dataUpdatedAt && !isRenewable && data?.nextCursor !== null);

	if (data !== undefined && isNew)
		held.current = { folderKey, listKey, first: data, rows: begin(data), readAt: dataUpdatedAt };
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
function isEmpty({ first }: Shown<ListingPage>): boolean {
	return first.items.length === 0 && first.nextCursor === null;
}
