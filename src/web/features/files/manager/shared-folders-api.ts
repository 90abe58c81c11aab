import { useQuery } from '@tanstack/react-query';
import { limits } from '#contract/core/limits.ts';
import { api, type CallOutputs, client } from '#web/platform/api/client.ts';
import type { FileListQuery } from '../file-list-query.ts';
import { type ListingPage, ListingRows } from '../list-state/listing-rows.ts';
import { type Listing, type ListingSummary, useListing } from '../list-state/use-listing.ts';

const firstPageSize = 200;
const can = { write: false };

type RootPage = ListingPage & ListingSummary;
type ContentPage = CallOutputs['sharing']['contentMine'] & ListingSummary;

function toRootPage({ items, nextCursor }: CallOutputs['sharing']['listMine']): RootPage {
	return { items: items.map(({ node }) => node), nextCursor, can };
}

/** The nodes shared with the user, page by page; with a search, everything that shares let them read. */
export function useSharedRoot(listQuery: FileListQuery): Listing {
	const input = filtersOf(listQuery);
	const query = useQuery({
		...api.sharing.listMine.queryOptions({ input: { ...input, limit: firstPageSize }, structuralSharing: false }),
		select: toRootPage,
	});
	return useListing(query, {
		folderKey: 'top',
		listKey: JSON.stringify(input),
		createRows: (first) =>
			new ListingRows(first, async ({ cursor }) =>
				toRootPage(await client.sharing.listMine({ ...input, cursor, limit: limits.pageSizeMax })),
			),
		canReloadSegments: false,
	});
}

/** The content of one shared folder, page by page. A 404 means that it is no longer shared. */
export function useSharedFolder(id: string, listQuery: FileListQuery): Listing<ContentPage> {
	const input = { id, ...filtersOf(listQuery) };
	const query = useQuery({
		...api.sharing.contentMine.queryOptions({ input: { ...input, limit: firstPageSize }, structuralSharing: false }),
		select: toFolderPage,
		enabled: id !== '',
	});
	return useListing(query, {
		folderKey: id,
		listKey: JSON.stringify(input),
		createRows: (first) =>
			new ListingRows(first, ({ cursor }) =>
				client.sharing.contentMine({ ...input, cursor, limit: limits.pageSizeMax }),
			),
		canReloadSegments: false,
	});
}

function filtersOf({ q, type, sort, order }: FileListQuery) {
	return { search: q.trim() === '' ? undefined : q.trim(), type, sort, order };
}

function toFolderPage(page: CallOutputs['sharing']['contentMine']): ContentPage {
	return { ...page, can };
}
