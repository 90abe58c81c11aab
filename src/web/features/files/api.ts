import { useQuery } from '@tanstack/react-query';
import { limits } from '#contract/core/limits.ts';
import { api, type CallOutputs, client } from '#web/platform/api/client.ts';
import type { FileListQuery } from './file-list-query.ts';
import type { ListingPage } from './list-state/listing-rows.ts';
import { type Listing, type ListingSummary, useListing } from './list-state/use-listing.ts';

type FolderPage = CallOutputs['files']['list'];

/** The first page is small to arrive quickly. Later pages have the largest size that the API allows. */
const firstPageSize = 200;

export type Folder = Listing<FolderPage>;

/** Loads a folder. When only search, filter or order change, the previous rows stay until the new rows have loaded. */
export function useFolder(owner: string, listQuery: FileListQuery): Folder {
	const { path } = listQuery;
	const input = { owner, path, ...filtersOf(listQuery) };
	const query = useQuery(
		api.files.list.queryOptions({ input: { ...input, limit: firstPageSize }, structuralSharing: false }),
	);
	return useListing(query, {
		folderKey: `${owner}\n${path}`,
		listKey: JSON.stringify(input),
		fetchPage: (range) => client.files.list({ ...input, ...range, limit: limits.pageSizeMax }),
	});
}

function toListingPage({ items, nextCursor }: CallOutputs['sharing']['listMine']): ListingPage & ListingSummary {
	return { items: items.map(({ node }) => node), nextCursor };
}

/** Loads the nodes shared with the user. A search also finds nodes inside shared folders. */
export function useSharedRoot(listQuery: FileListQuery): Listing {
	const input = filtersOf(listQuery);
	const query = useQuery({
		...api.sharing.listMine.queryOptions({ input: { ...input, limit: firstPageSize }, structuralSharing: false }),
		select: toListingPage,
	});
	return useListing(query, {
		folderKey: 'top',
		listKey: JSON.stringify(input),
		fetchPage: async ({ cursor }) =>
			toListingPage(await client.sharing.listMine({ ...input, cursor, limit: limits.pageSizeMax })),
		canReloadSegments: false,
	});
}

/** Loads the content of a shared folder. A 404 means that the folder is no longer shared. */
export function useSharedFolder(id: string, listQuery: FileListQuery): Listing<CallOutputs['sharing']['contentMine']> {
	const input = { id, ...filtersOf(listQuery) };
	const query = useQuery(
		api.sharing.contentMine.queryOptions({ input: { ...input, limit: firstPageSize }, structuralSharing: false }),
	);
	return useListing(query, {
		folderKey: id,
		listKey: JSON.stringify(input),
		fetchPage: ({ cursor }) => client.sharing.contentMine({ ...input, cursor, limit: limits.pageSizeMax }),
		canReloadSegments: false,
	});
}

function filtersOf({ q, type, sort, order }: FileListQuery) {
	return { search: q.trim() || undefined, type, sort, order };
}
